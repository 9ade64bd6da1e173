import { requestKeyOf } from '@auction/domain/request-key'
import type { Entry } from '@auction/domain/store'
import { describe, expect, test } from 'vitest'
import { checkHistory } from '../src/check-history.ts'
import type { Attempt, History } from '../src/history.ts'
import { sampleAuction, sampleKey } from '../src/samples.ts'
import type { Histories } from './formats/histories.ts'
import {
  accepted,
  afterCreation,
  afterEnd,
  afterStart,
  and,
  arrived,
  auction,
  bid,
  bidding,
  bids,
  creation,
  end,
  ended,
  endMs,
  from,
  history,
  listing,
  marginMs,
  reading,
  refused,
  resultAfter,
  retried,
  seen,
  settledAttempts,
  startMs,
  tooLow,
  unknown,
} from './sample-history.ts'

const [first, second, third] = bids
const other = bid(4, { amountMinor: 150_00 })
const keyed = { ...third, requestKey: sampleKey('k') }

/** The last bid is placed under a key, by one of these tries. */
const underKey = (...tries: readonly Attempt[]): History => ({
  ...from(3, keyed, end()),
  attempts: [...settledAttempts.slice(0, 3), ...tries],
})
const keyedAuction = { ...auction, requestKey: requestKeyOf('create-auction', { caller: 'caller', key: 'c' }) }
const withAuction = (change: Parameters<typeof sampleAuction>[0]): History => ({
  ...history,
  auctions: [sampleAuction(change)],
})
const without = (index: number): readonly Attempt[] => settledAttempts.toSpliced(index, 1)
const otherState = (entry: Entry, change: object): Entry =>
  ({ ...entry, state: { ...entry.state, ...change } }) as Entry // With the same phase.

const broken: Readonly<Record<number, Histories>> = {
  1: {
    'an accepted bid is not stored': from(3, end(second)),
    'an accepted bid is stored with another amount': from(
      3,
      bid(3, { amountMinor: 120_00 }),
      end(bid(3, { amountMinor: 120_00 })),
    ),
    'an accepted bid is stored with another time': from(3, bid(3, { atMs: third.atMs + 1 }), end()),
    'an accepted bid is stored for another bidder': from(3, bid(3, { bidderId: 5 }), end(bid(3, { bidderId: 5 }))),
    'a response has another leader': retried(
      3,
      bidding(third, afterStart(30), accepted(third, bid(3, { bidderId: 5 }).event.bidderId)),
    ),
    'an accepted bid is stored twice': from(3, third, third, end()),
    'a response has the bid of another bidder': retried(
      3,
      bidding(bid(3, { bidderId: 5 }), afterStart(30), accepted(third)),
    ),
    'two responses have one bid': and(bidding(third, afterStart(30))),
    'a bid is stored that no client sent': { ...history, attempts: without(3) },
    'a refused bid is stored': retried(3, bidding(third, afterStart(30), refused('auction-ended'))),
    'a bid is stored that changed nothing': retried(3, bidding(third, afterStart(30), refused('store-unavailable'))),
    'an unknown bid is stored under two ids': {
      ...from(4, bid(4, { amountMinor: third.event.amountMinor })),
      attempts: settledAttempts.with(3, bidding(third, afterStart(30), unknown)),
    },
    'a bid is stored under a key that it was not sent with': { ...history, ledger: underKey().ledger },
    'a bid is stored without the key that it was sent with': {
      ...history,
      attempts: [...settledAttempts.slice(0, 3), bidding(third, afterStart(30), accepted(third), 'k')],
    },
    'an entry is of an auction that is not stored': from(4, end(), bid(8, { auctionId: 7, sequence: 1 })),
    'an accepted auction is not stored': { ...history, auctions: [] },
    'an accepted auction is stored with other terms': withAuction({ productId: 8 }),
    'an accepted auction is stored twice': { ...history, auctions: [auction, auction] },
    'an auction is stored without a request': { ...history, attempts: without(0) },
    'a refused auction is stored': retried(0, creation(afterCreation(-1), refused('validation-failed'))),
  },
  2: {
    'a sequence is missing': from(3, { ...third, sequence: 4 }, end()),
    'two entries have one sequence': from(3, { ...third, sequence: 2 }, end()),
    'a state forgets a bid': from(3, otherState(third, { bidCount: 2 }), end()),
    'a state keeps the leader from before': from(3, otherState(third, { leader: second.state.leader }), end()),
    'a state is of another time': from(3, otherState(third, { atMs: third.atMs - 1 }), end()),
    'the state of the end is still open': from(4, { ...end(), state: third.state }),
    'a bid rises by less than the increment': withAuction({ minimumBidIncrementMinor: 5_01 }),
    'the first bid is below the starting price': withAuction({ startingPriceMinor: 100_01 }),
    'the owner bids': withAuction({ ownerId: 2 }),
    'an entry is in another currency': withAuction({ currency: 'EUR' }),
  },
  3: {
    'time goes back': from(3, bid(3, { atMs: second.atMs - 1 }), end()),
    'a bid comes before the start': withAuction({ startTime: '2030-01-31T12:00:00.013Z' }),
    'a bid comes at the end': withAuction({ endTime: '2030-01-31T12:00:00.032Z' }),
    'a bid has a time before its request': retried(3, bidding(third, afterStart(33))),
    'a bid has a time after its response': retried(3, bidding(third, afterStart(30, 31))),
    'a bid has a time after its arrival': retried(3, arrived(bidding(third, afterStart(30)), third.atMs - 1)),
    'a bid with a key has a time after the arrival of its only try, which has no response': underKey(
      arrived(bidding(third, afterStart(30), unknown, 'k'), third.atMs - 1),
    ),
    'an auction has a time before its request': retried(0, creation(afterCreation(1))),
  },
  4: {
    'a bid that was high enough is refused': and(bidding(other, afterStart(100), refused('bid-too-low'))),
    'a refusal depends on a bid that was sent after it': and(
      bidding(bid(4), afterStart(22, 29), refused('bid-too-low')),
      bidding(third, afterStart(22, 29), refused('bid-too-low')),
    ),
    'figures are outdated': and(bidding(first, afterStart(26), tooLow(1))),
    'figures are of the future': and(bidding(first, afterStart(22, 29), tooLow(3))),
    'figures never existed': and(
      bidding(first, afterStart(100), { ...tooLow(3), minimumNextBidMinor: first.event.amountMinor }),
    ),
    'figures exclude a higher bid': and(
      bidding(first, afterStart(100), { ...tooLow(3), minimumNextBidMinor: undefined }),
    ),
    'a started auction had not started': and(bidding(first, afterStart(0), refused('auction-not-started'))),
    'an open auction had ended': and(bidding(other, afterEnd(-6, -1), refused('auction-ended'))),
    'a bid that arrived before the end is late': and(
      arrived(bidding(other, afterEnd(-6, 100), refused('auction-ended')), endMs - 1),
    ),
    'a bid that arrived after the start is early': and(
      arrived(bidding(first, afterStart(-5, 5), refused('auction-not-started')), startMs),
    ),
    'another user counts as the owner': and(bidding(other, afterStart(40), refused('owner-cannot-bid'))),
    'an exact amount counts as inexact': and(bidding(other, afterStart(40), refused('validation-failed'))),
    'an auction in a response is not found': and(reading(seen(0), afterCreation(2), refused('auction-not-found'))),
    'a bid does not find an auction that a response contained': and(
      bidding(first, afterCreation(2), refused('auction-not-found')),
    ),
    'a future end counts as past': and(creation(afterEnd(-6, -1), refused('validation-failed'))),
    'a key has made nothing': and(bidding(other, afterStart(40), refused('idempotency-key-reused'), 'new')),
    'a key has created exactly this': underKey(
      bidding(third, afterStart(30), accepted(third), 'k'),
      bidding(third, afterStart(31), refused('idempotency-key-reused'), 'k'),
    ),
    'a key has created something later': underKey(
      bidding(third, afterStart(30), accepted(third), 'k'),
      bidding(other, afterStart(20), refused('idempotency-key-reused'), 'k'),
    ),
  },
  5: {
    'a key makes two bids': { ...underKey(), ledger: [first, { ...second, requestKey: sampleKey('k') }, keyed, end()] },
    'the responses to a key have two bids': {
      ...history,
      attempts: settledAttempts.map((attempt) => ({ ...attempt, key: 'k' })),
    },
    'a key with a placed bid is refused': underKey(
      bidding(third, afterStart(30), accepted(third), 'k'),
      bidding(third, afterStart(36), tooLow(3), 'k'),
    ),
    'a key with a placed bid is refused after the end': underKey(
      bidding(third, afterStart(30), accepted(third), 'k'),
      bidding(third, afterEnd(1), refused('auction-ended'), 'k'),
    ),
    'a key whose bid was seen is refused': underKey(
      bidding(third, afterStart(30), unknown, 'k'),
      reading(seen(3), afterStart(33, 34)),
      bidding(third, afterStart(36), tooLow(3), 'k'),
    ),
    'a key with a placed bid is refused for another': underKey(
      bidding(third, afterStart(30), accepted(third), 'k'),
      bidding(other, afterEnd(1), refused('auction-ended'), 'k'),
    ),
    'a key makes two auctions': {
      ...history,
      auctions: [keyedAuction, { ...keyedAuction, id: sampleAuction({ id: 2 }).id }],
    },
    'a key with a created auction is refused': {
      ...history,
      auctions: [keyedAuction],
      attempts: [
        creation(afterCreation(-1), undefined, { key: 'c' }),
        creation(afterEnd(1), refused('validation-failed'), { key: 'c' }),
        ...settledAttempts.slice(1),
      ],
    },
  },
  6: {
    'a bid follows the end': from(4, end(), { ...bid(5, { atMs: endMs + marginMs }) }),
    'an auction ends twice': from(4, end(), { ...end(), id: bid(10).id, sequence: 5 }),
    'an auction is closed before the end of the margin': from(4, end(third, endMs + marginMs - 1)),
    'the result is that of a bid from before': from(4, end(third, undefined, resultAfter(second))),
    'an auction with bids is not sold': from(4, end(third, undefined, resultAfter(null))),
    'a reader receives another result': and(reading(ended({ result: resultAfter(second) }), afterEnd(marginMs))),
    'a reader receives a result that is never recorded': { ...and(reading(ended(), afterEnd(marginMs))), ledger: bids },
    'a reader receives a result before it can be recorded': and(reading(ended(), afterEnd(marginMs - 6))),
    'a reader no longer sees the result': and(
      reading(ended(), afterEnd(marginMs)),
      reading(ended({ result: undefined }), afterEnd(marginMs + 6)),
    ),
    'a reader receives a result of an open auction': and(reading(ended({ status: 'Active' }), afterEnd(marginMs))),
    'a reader sees the end too early': and(reading(ended({ result: undefined }), afterEnd(-6))),
    'a reader does not see the end': and(reading(seen(3), afterEnd(0))),
    'a reader does not see the start': and(reading(seen(0, { status: 'Pending' }), afterStart(0))),
    'a reader does not see an accepted bid': and(reading(seen(1), afterStart(26))),
    'a reader does not see a bid that another has seen': and(
      reading(seen(2), afterStart(21, 22)),
      reading(seen(1), afterStart(23, 24)),
    ),
    'a reader does not see a bid that a refusal shows': and(
      bidding(first, afterStart(20, 22), tooLow(2)),
      reading(seen(1), afterStart(23, 24)),
    ),
    'a reader sees a bid before it is sent': and(reading(seen(2), afterStart(12, 19))),
    'a reader sees a bid that never existed': and(reading(seen(4), afterStart(100))),
    'a reader sees another auction': and({
      ...reading(seen(3), afterStart(100)),
      type: 'read-auction',
      auctionId: bid(1, { auctionId: 7 }).auctionId,
      response: { outcome: 'read', auction: seen(3) },
    }),
    'a reader sees an auction that is not stored': {
      ...history,
      auctions: [],
      ledger: [],
      attempts: [reading(seen(0), afterStart(0))],
    },
    'a list has an auction twice': and(listing([seen(3), seen(3)], afterStart(100))),
    'a list has old figures': and(listing([seen(2)], afterStart(100))),
    'a list has an auction with another status': and(listing([seen(3)], afterStart(100), { status: 'Ended' })),
    'a list has an auction of another owner': and(
      listing([seen(3)], afterStart(100), { ownerId: first.event.bidderId }),
    ),
    'a list omits an auction of a response': and(listing([], afterCreation(2))),
    'a list omits an auction with the status': and(listing([], afterStart(0), { status: 'Active' })),
  },
}

describe.each(Object.entries(broken))('promise %s is broken', (invariant, histories) => {
  test.each(Object.entries(histories))('%s', (_, changed) => {
    expect(checkHistory(changed).map((violation) => violation.invariant)).toContain(Number(invariant))
  })
})

test('a violation describes the problem', () => {
  expect(checkHistory(from(3, end(second)))).toContainEqual({
    invariant: 1,
    message: expect.stringContaining('bid 3 was accepted'),
  })
})
