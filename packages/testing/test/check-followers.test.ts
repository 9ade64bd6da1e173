import type { PublicEvent } from '@auction/domain'
import { bidIdOf, toSaleId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import { describe, expect, test } from 'vitest'
import { checkHistory } from '../src/check-history.ts'
import type { Follower, History } from '../src/history.ts'
import {
  afterCreation,
  auction,
  bids,
  creation,
  end,
  endMs,
  history,
  marginMs,
  resultAfter,
  seen,
} from './sample-history.ts'

const { id: auctionId, currency, endTime } = auction

const placed = bids.map(({ id, sequence, atMs, event: { bidderId, amountMinor } }): PublicEvent => {
  const { minimumNextBidMinor, bidCount = 0 } = seen(sequence)
  return {
    type: 'bids',
    auctionId,
    sequence,
    atMs,
    bids: [{ id: bidIdOf(id), auctionId, bidderId, amountMinor, currency, timestampMs: atMs }],
    currency,
    currentPriceMinor: amountMinor,
    minimumNextBidMinor,
    maximumNextBidMinor: undefined,
    bidCount,
    leaderId: bidderId,
    effectiveEndTime: endTime,
    isReserveMet: undefined,
    isBuyNowOffered: undefined,
  }
})
const atEndMs = endMs + marginMs
const [first, second, third] = placed as [PublicEvent, PublicEvent, PublicEvent] // Of the three bids.
const ended: PublicEvent = {
  type: 'ended',
  auctionId,
  sequence: 4,
  atMs: atEndMs,
  status: 'Ended',
  result: resultAfter(),
  currency,
}

/** What a follower saw, each event when it was recorded. */
const follower = (events: readonly PublicEvent[], from = 0, position = 4): Follower => ({
  auctionId,
  from,
  position,
  seen: events.map((event) => ({ event, atMs: event.atMs })),
})
const followed = (...followers: readonly Follower[]): History => ({ ...history, followers })

test.each([
  ['from the beginning', follower([first, second, third, ended])],
  ['from its position on', follower([third, ended], 2)],
  ['as far as it came', follower([first, second], 0, 2)],
  ['that reads an ended auction', follower([], 4)],
])('a follower %s breaks no promise', (_, sample) => {
  expect(checkHistory(followed(sample, sample))).toEqual([])
})

/** The same auction as a lot of a sale: its entries are of the second version, and its events name both. */
const sale = { saleId: toSaleId(9), lot: '12' } as const
const lot = { ...auction, ...sale, saleSequence: 2 }
const ofLot = (entry: Entry): Entry => ({ ...entry, state: { ...entry.state, version: 2 } }) as Entry // Of its phase.
const historyOfLot = {
  ...history,
  auctions: [lot],
  attempts: [
    creation(afterCreation(-1, 1), { outcome: 'accepted', auction: lot }, { auction: lot }),
    ...history.attempts.slice(1),
  ],
  ledger: history.ledger.map(ofLot),
}

test('a follower of a lot sees its sale and its number in each event', () => {
  const lotEvents = [first, second, third, ended].map((event): PublicEvent => ({ ...event, ...sale }))
  expect(checkHistory({ ...historyOfLot, followers: [follower(lotEvents)] })).toEqual([])
  const without = checkHistory({ ...historyOfLot, followers: [follower([first])] })
  expect(without.map(({ invariant }) => invariant)).toEqual([7])
})

describe('promise 7 is broken', () => {
  test.each([
    ['a follower misses an event', followed(follower([first, third, ended]))],
    ['a follower misses the last event', followed(follower([first, second, third]))],
    ['a follower sees an event twice', followed(follower([first, second, second, third, ended]))],
    ['a follower sees events in another order', followed(follower([second, first, third, ended]))],
    ['a follower sees what it knew', followed(follower([second, third, ended], 2))],
    ['a follower sees more than it was to', followed(follower([first, second], 0, 1))],
    ['a follower sees another price', followed(follower([{ ...first, bidCount: 2 } as PublicEvent], 0, 1))],
    ['a follower sees a maximum', followed(follower([Object.assign({ maximumMinor: 1 }, first)], 0, 1))],
    ['a follower sees another result', followed(follower([{ ...ended, status: 'Cancelled' }], 3))],
    [
      'a follower sees an event before its entry is recorded',
      followed({ ...follower([ended], 3), seen: [{ event: ended, atMs: atEndMs - 1 }] }),
    ],
    [
      'a follower sees an event before its entry is stored',
      { ...followed(follower([ended], 3)), storedAtMs: new Map([[end().id, atEndMs + 1]]) },
    ],
    ['a follower sees an auction that is not stored', { ...followed(follower([], 0, 0)), auctions: [], ledger: [] }],
  ] satisfies [string, History][])('%s', (_, sample) => {
    expect(checkHistory(sample).map(({ invariant }) => invariant)).toContain(7)
  })
})
