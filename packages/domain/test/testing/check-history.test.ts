import type { Bid } from '@auction/domain/bid'
import { StoredAmountMinor } from '@auction/domain/money'
import { type BidAnswer, type BidAttempt, checkHistory, type History } from '@auction/domain/testing/check-history'
import { sampleAuction, sampleBids } from '@auction/domain/testing/samples'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'

const auction = sampleAuction()
const bids = sampleBids(3)
const amountOf = (bid: Bid) => bid.amountMinor / 100

/** Every bid of the ledger, sent one after another and accepted: bid n is sent at 10n and answered at 10n + 5. */
const told = (bid: Bid): BidAttempt => ({
  bid: { auctionId: bid.auctionId, bidderId: bid.bidderId, amount: amountOf(bid) as BidAttempt['bid']['amount'] }, // Exact.
  sentAtMs: bid.sequence * 10,
  answeredAtMs: bid.sequence * 10 + 5,
  answer: { outcome: 'accepted', bid },
})
const attempts = bids.map(told)
const history: History = { auctions: [auction], attempts, ledger: bids }

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index]
  if (item === undefined) throw new RangeError(`no item ${index}`)
  return item
}
const changed = <Item>(items: readonly Item[], index: number, change: Partial<Item>): readonly Item[] =>
  items.with(index, { ...at(items, index), ...change })

/** An attempt with the fields of the nth, answered `bid-too-low`, after all of them unless told otherwise. */
const refusedLater = (index: number, change: Partial<BidAttempt> = {}): BidAttempt => ({
  ...at(attempts, index),
  sentAtMs: 100,
  answeredAtMs: 105,
  answer: { outcome: 'refused', code: 'bid-too-low' },
  ...change,
})
const figures = (head: number) => ({
  outcome: 'refused' as const,
  code: 'bid-too-low',
  currentPriceMinor: at(bids, head).amountMinor,
  minimumNextBidMinor: (at(bids, head).amountMinor + auction.minimumBidIncrementMinor) as Bid['amountMinor'], // Whole units.
})

const most = v.parse(StoredAmountMinor, 1e15 - 1)

/** A bid of all that can be offered, and one that is told what is named. */
function atTheTop(
  named: Pick<Extract<BidAnswer, { outcome: 'refused' }>, 'currentPriceMinor' | 'minimumNextBidMinor'>,
) {
  const bid = { ...at(bids, 0), amountMinor: most }
  const answer = { outcome: 'refused', code: 'bid-too-low', ...named } as const
  return {
    ...history,
    ledger: [bid],
    attempts: [told(bid), { ...told(bid), sentAtMs: 100, answeredAtMs: 105, answer }],
  }
}

describe('histories in which every promise was kept', () => {
  const unknown = { outcome: 'unknown' as const }
  test.each<[string, History]>([
    ['nothing happened', { auctions: [auction], attempts: [], ledger: [] }],
    ['all was accepted', history],
    ['an unknown bid is stored', { ...history, attempts: changed(attempts, 1, { answer: unknown }) }],
    [
      'an unknown bid is not stored',
      { ...history, ledger: bids.slice(0, 2), attempts: changed(attempts, 2, { answer: unknown }) },
    ],
    ['no higher bid was possible', atTheTop({ currentPriceMinor: most, minimumNextBidMinor: undefined })],
    ['a refusal was true', { ...history, attempts: [...attempts, refusedLater(1)] }],
    [
      'a refusal names figures that are current',
      { ...history, attempts: [...attempts, refusedLater(1, { answer: figures(2) })] },
    ],
    [
      'a refusal names figures that another bid changed meanwhile',
      {
        ...history,
        attempts: [...attempts, refusedLater(0, { sentAtMs: 21, answeredAtMs: 40, answer: figures(1) })],
      },
    ],
    [
      'two tries of one key make one bid',
      {
        ...history,
        attempts: [
          ...attempts.slice(0, 2),
          ...[1, 2].map((n) => ({ ...at(attempts, 2), key: 'k', answeredAtMs: 35 + n })),
        ],
      },
    ],
    [
      'a try of a key is refused before another makes the bid',
      {
        ...history,
        attempts: [
          ...attempts.slice(0, 2),
          { ...at(attempts, 2), key: 'k' },
          refusedLater(0, { key: 'k', sentAtMs: 11 }),
        ],
      },
    ],
  ])('%s', (_, kept) => {
    expect(checkHistory(kept)).toEqual([])
  })
})

describe('broken histories', () => {
  const stray = sampleBids(4)
  test.each<[invariant: number, string, History]>([
    [1, 'an accepted bid is not stored', { ...history, ledger: bids.slice(0, 2) }],
    [
      1,
      'an accepted bid is stored with another amount',
      { ...history, ledger: changed(bids, 2, { amountMinor: at(sampleBids(5), 4).amountMinor }) },
    ],
    [
      1,
      'an accepted bid is stored with another time',
      { ...history, ledger: changed(bids, 2, { timestampMs: at(bids, 2).timestampMs + 1 }) },
    ],
    [
      1,
      'an accepted bid is stored for another bidder',
      { ...history, ledger: changed(bids, 2, { bidderId: (at(bids, 2).bidderId + 1) as Bid['bidderId'] }) },
    ],
    [1, 'a bid is stored twice', { ...history, ledger: [...bids, at(bids, 2)] }],
    [1, 'a bid is stored that nobody sent', { ...history, ledger: stray }],
    [
      1,
      'a bid is stored that was refused',
      {
        ...history,
        ledger: stray,
        attempts: [...attempts, { ...told(at(stray, 3)), answer: { outcome: 'refused', code: 'auction-ended' } }],
      },
    ],
    [
      1,
      'a bid with an unknown outcome is stored under two ids',
      {
        ...history,
        ledger: [...bids, { ...at(stray, 3), amountMinor: at(bids, 2).amountMinor }],
        attempts: changed(attempts, 2, { answer: { outcome: 'unknown' } }),
      },
    ],
    [2, 'a sequence is missing', { ...history, ledger: changed(bids, 2, { sequence: 4 }) }],
    [2, 'two bids have one sequence', { ...history, ledger: changed(bids, 2, { sequence: 2 }) }],
    [
      2,
      'a bid rises by less than the increment',
      { ...history, auctions: [sampleAuction({ minimumBidIncrementMinor: 501 })] },
    ],
    [
      2,
      'the first bid is below the starting price',
      { ...history, auctions: [sampleAuction({ startingPriceMinor: 10_001 })] },
    ],
    [2, 'the owner bids', { ...history, auctions: [sampleAuction({ ownerId: 2 })] }],
    [3, 'a timestamp goes back', { ...history, ledger: changed(bids, 2, { timestampMs: at(bids, 0).timestampMs }) }],
    [
      3,
      'a bid comes before the start',
      { ...history, auctions: [sampleAuction({ startTime: '2030-01-31T12:00:00.002Z' })] },
    ],
    [3, 'a bid comes at the end', { ...history, auctions: [sampleAuction({ endTime: '2030-01-31T12:00:00.003Z' })] }],
    [
      4,
      'a bid that was high enough is refused',
      { ...history, ledger: bids.slice(0, 2), attempts: [...attempts.slice(0, 2), refusedLater(2)] },
    ],
    [
      4,
      'a refusal rests on a bid that was sent after it',
      { ...history, attempts: [...attempts, refusedLater(2, { sentAtMs: 22, answeredAtMs: 24 })] },
    ],
    [
      4,
      'a refusal names a price of the past',
      { ...history, attempts: [...attempts, refusedLater(0, { answer: figures(1) })] },
    ],
    [
      4,
      'a refusal names a price that never was',
      {
        ...history,
        attempts: [
          ...attempts,
          refusedLater(0, { answer: { ...figures(2), minimumNextBidMinor: 1 as Bid['amountMinor'] } }),
        ],
      },
    ],
    [
      4,
      'a refusal says that no higher bid is possible where one is',
      {
        ...history,
        attempts: [...attempts, refusedLater(0, { answer: { ...figures(2), minimumNextBidMinor: undefined } })],
      },
    ],
    [4, 'a refusal names a least bid where none is possible', atTheTop({ minimumNextBidMinor: most })],
    [5, 'a key makes two bids', { ...history, attempts: attempts.map((attempt) => ({ ...attempt, key: 'k' })) }],
    [
      5,
      'a key that has made its bid is refused',
      {
        ...history,
        attempts: [...attempts.slice(0, 2), { ...at(attempts, 2), key: 'k' }, refusedLater(2, { key: 'k' })],
      },
    ],
  ])('break invariant %i: %s', (invariant, _, broken) => {
    expect(checkHistory(broken).map((violation) => violation.invariant)).toContain(invariant)
  })
})
