import type { Decimal } from '@auction/domain/money'
import { requestKeyOf } from '@auction/domain/request-key'
import type { History } from '../src/history.ts'
import { sampleKey } from '../src/samples.ts'
import { testKept } from './formats/histories.ts'
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
  newBid,
  reading,
  refused,
  retried,
  seen,
  settledAttempts,
  startMs,
  terms,
  tooLow,
  unknown,
} from './sample-history.ts'

const [first, second, third] = bids
const other = bid(4, { amountMinor: 150_00 })

/** The last bid is placed under a key, by one of these tries. */
const keyed = (...tries: History['attempts']): History => ({
  ...from(3, { ...third, requestKey: sampleKey('k') }, end()),
  attempts: [...settledAttempts.slice(0, 3), ...tries],
})
const createdUnderKey = (...tries: History['attempts']): History => ({
  ...history,
  auctions: [{ ...auction, requestKey: requestKeyOf('create-auction', { caller: 'caller', key: 'c' }) }],
  attempts: [...tries, ...settledAttempts.slice(1)],
})

/** A bid at the last moment, which is stored when the auction has ended. */
const late = bid(3, { atMs: endMs - 1 })

testKept({
  'nothing happened': { ...history, auctions: [], attempts: [], ledger: [] },
  'all requests were accepted, and the auction was closed': history,
  'the auction has no bid': { ...history, attempts: [creation(afterCreation(-1))], ledger: [end(null)] },

  'an unknown bid is stored': retried(2, bidding(second, afterStart(20), unknown)),
  'an unknown bid is not stored': and(bidding(other, afterStart(40), unknown)),
  'an unknown auction is stored': retried(0, creation(afterCreation(-1), unknown)),
  'an unknown auction is not stored': and(creation(afterCreation(-1), unknown)),
  'the unknown one of two equal bids is stored': {
    ...history,
    attempts: [
      ...settledAttempts.with(1, bidding(first, afterStart(10), unknown)),
      bidding(first, afterStart(10), refused('store-unavailable')),
    ],
  },
  'a bid that arrived before the last entry has the time of that entry': {
    ...from(3, bid(3, { atMs: second.atMs }), end(bid(3, { atMs: second.atMs }))),
    attempts: settledAttempts.with(
      3,
      arrived(bidding(bid(3, { atMs: second.atMs }), afterStart(19, 35)), second.atMs - 1),
    ),
  },
  'a bid that arrived before the end is late if the result was recorded first': and(
    arrived(bidding(other, afterEnd(-6, marginMs), refused('auction-ended')), endMs - 1),
  ),
  'a bid that arrived before the start is early, however late it was decided': and(
    arrived(bidding(first, afterStart(-5, 5), refused('auction-not-started')), startMs - 1),
  ),
  'a bid has the same time for request, record and response': retried(1, bidding(first, afterStart(12, 12))),
  'a clock is ahead by the maximum': {
    ...from(1, bid(1, { atMs: startMs + 20 }), bid(2, { atMs: startMs + 22 }), bid(3), end()),
    clockErrorMs: 5,
    attempts: settledAttempts.with(1, bidding(first, afterStart(10), accepted(bid(1, { atMs: startMs + 20 })))),
  },
  'an auction is closed late': from(4, end(third, endMs + 3_600_000)),

  'a refusal was true': and(bidding(second, afterStart(100), refused('bid-too-low'))),
  'figures are current': and(bidding(second, afterStart(100), tooLow(3))),
  'figures were current when the bid was sent': and(bidding(first, afterStart(24, 100), tooLow(1))),
  'figures are of a concurrent bid': and(bidding(first, afterStart(21, 30), tooLow(3))),
  'an auction had not started': and(bidding(first, afterStart(-1), refused('auction-not-started'))),
  'an auction had ended': and(bidding(other, afterEnd(-5), refused('auction-ended'))),
  'the owner was refused': and(bidding(bid(4, { bidderId: 1 }), afterStart(40), refused('owner-cannot-bid'))),
  'an amount was not exact': and({
    ...bidding(other),
    type: 'place-bid',
    bid: { ...newBid(other), amount: 1.001 as Decimal },
    response: refused('validation-failed'),
  }),
  'a maximum was below its amount, on an unknown auction': and({
    ...bidding(other),
    type: 'place-bid',
    bid: { ...newBid(bid(4, { auctionId: 7 })), maximumAmount: 1 as Decimal },
    response: refused('validation-failed'),
  }),
  'an auction was not found before its creation': and(
    reading(seen(0), afterCreation(-5), refused('auction-not-found')),
  ),
  'an unknown auction was not found': and(
    bidding(bid(4, { auctionId: 7 }), afterStart(40), refused('auction-not-found')),
  ),
  'an end was in the past': and(creation(afterEnd(-5), refused('validation-failed'))),
  'a host had another reason': and(bidding(other, afterStart(40), refused('rate-limited'))),

  'two tries of one key return one bid': keyed(
    bidding(third, afterStart(30), unknown, 'k'),
    bidding(third, afterStart(40), accepted(third), 'k'),
  ),
  'a try of a key is refused while another places the bid': keyed(
    bidding(third, afterStart(30, 60), accepted(third), 'k'),
    bidding(third, afterStart(31, 59), refused('overloaded'), 'k'),
  ),
  'a key with a placed bid is refused as overloaded': keyed(
    bidding(third, afterStart(30), accepted(third), 'k'),
    bidding(third, afterStart(50), refused('overloaded'), 'k'),
  ),
  'a key is used with another request': keyed(
    bidding(third, afterStart(30), accepted(third), 'k'),
    bidding(other, afterStart(50), refused('idempotency-key-reused'), 'k'),
  ),
  'a key is used with another request, which no parser accepts': keyed(
    bidding(third, afterStart(30), accepted(third), 'k'),
    {
      ...bidding(other, afterStart(50), refused('validation-failed'), 'k'),
      type: 'place-bid',
      bid: { ...newBid(other), maximumAmount: 1 as Decimal },
      response: refused('validation-failed'),
    },
  ),
  'the same key of another operation is another key': {
    ...createdUnderKey(creation(afterCreation(-1), undefined, { key: 'c' })),
    ledger: [first, second, { ...third, requestKey: sampleKey('c') }, end()],
    attempts: [
      creation(afterCreation(-1), undefined, { key: 'c' }),
      ...settledAttempts.slice(1, 3),
      bidding(third, afterStart(30), accepted(third), 'c'),
    ],
  },
  'a creation is repeated, also with another request': createdUnderKey(
    creation(afterCreation(-1), undefined, { key: 'c' }),
    creation(afterStart(1), undefined, { key: 'c' }),
    creation(afterStart(1), refused('idempotency-key-reused'), { key: 'c', auction: { ...terms, title: 'Other' } }),
  ),

  'a reader sees the current state': and(reading(seen(1), afterStart(16, 19)), reading(seen(3), afterStart(50))),
  'a reader sees an auction that has not started': and(reading(seen(0, { status: 'Pending' }), afterStart(-1))),
  'a reader sees a bid without a response yet': and(reading(seen(2), afterStart(21, 22))),
  'a reader does not see a bid whose response arrives during the read': and(reading(seen(1), afterStart(24, 27))),
  'a reader sees the end before the result': and(reading(seen(3, { status: 'Ended' }), afterEnd(-5, 0))),
  'a reader sees the result': and(reading(ended(), afterEnd(marginMs - 5))),
  'a reader sees the end, and later an earlier bid': {
    ...from(3, late, end(late)),
    attempts: [
      ...settledAttempts.slice(0, 3),
      bidding(late, afterEnd(-2, 50), accepted(late)),
      reading(seen(2, { status: 'Ended' }), afterEnd(1)),
      reading(seen(3, { status: 'Ended' }), afterEnd(51)),
    ],
  },
  'a reader sees the end by a clock that is ahead': {
    ...and(reading(seen(3, { status: 'Ended' }), afterEnd(-15))),
    clockErrorMs: 10,
  },
  'a list has all auctions': and(
    listing([seen(1)], afterStart(16, 19), { status: 'Active', ownerId: auction.ownerId }),
  ),
  'a list omits an auction with another status': and(listing([], afterStart(16), { status: 'Pending' })),
  'a list omits an auction that no longer has the status': and(listing([], afterEnd(-5, 0), { status: 'Active' })),
  'a list omits another owner': and(listing([], afterStart(16), { ownerId: bid(1).event.bidderId })),
  'a page omits the rest': and(listing([], afterStart(16), {}, false)),
  'a list omits an auction that is created during the read': and(listing([], afterCreation(0, 9))),
  'a reader receives no response': and(reading(seen(0), afterStart(0), unknown)),
})
