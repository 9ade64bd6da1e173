import { sampleCorrection } from '@auction/testing/samples'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Terms } from '../../src/auction/auction.ts'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import { type Assumption, type PriceStep, recomputeAuction } from '../../src/use-cases/recompute-auction.ts'
import { type AuctionId, toAuctionId, toUserId } from '../../src/values/ids.ts'
import { isoOf } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import { anyTerms } from '../auction/any-history.ts'
import {
  bid,
  buy,
  cancel,
  close,
  correct,
  endMs,
  extend,
  lower,
  type Step,
  softCloseTerms,
  termsWith,
  withdraw,
} from '../auction/play.ts'
import { anyRepairedSteps, ledgerOf, ledgerWithout, storeHolding } from '../support/ledgers.ts'

async function recompute(terms: Terms, steps: readonly Step[], assumption: Assumption = {}) {
  const path: PriceStep[] = []
  const store = await storeHolding(terms, ledgerOf(terms, ...steps))
  const recomputed = await recomputeAuction(store, terms.id, assumption, (step) => void path.push(step))
  return { ...unwrap(recomputed), path }
}

test('without an assumption, each price and the result are as recorded', async () => {
  await fc.assert(
    fc.asyncProperty(anyTerms, anyRepairedSteps, async (terms, steps) => {
      const { path, recorded, recomputed } = await recompute(terms, steps)
      for (const step of path) expect([step.recomputed, step.without]).toEqual([step.recorded, undefined])
      expect(recomputed).toEqual(recorded)
    }),
    { numRuns: 300 },
  )
})

test('without a bidder, the price and the leader are those that a withdrawal would give', async () => {
  const bidderId = toUserId(2)
  await fc.assert(
    fc.asyncProperty(anyTerms, anyRepairedSteps, async (terms, steps) => {
      const open = ledgerOf(terms, ...steps).filter(({ state }) => state.phase === 'open')
      const { leader } = ledgerWithout(terms, open, bidderId)
      const path: PriceStep[] = []
      const store = await storeHolding(terms, open)
      await recomputeAuction(store, terms.id, { withoutBidderId: bidderId }, (step) => void path.push(step))
      expect(path.at(-1)?.recomputed.leaderId).toBe(leader?.bidderId)
      if (leader !== null) expect(path.at(-1)?.recomputed.priceMinor).toBe(leader.amountMinor)
    }),
    { numRuns: 500 },
  )
})

/** A price path: the price, the leader, and why the request has no effect. */
const shown = (path: readonly PriceStep[]) =>
  path.map(({ recomputed: { priceMinor, leaderId }, without }) => [priceMinor, leaderId, without])

const under = (terms: CorrectionJson): Assumption => ({ terms: sampleCorrection(terms) })
const without = (bidderId: number): Assumption => ({ withoutBidderId: toUserId(bidderId) })

const atEnd = [close, endMs + 10_000] as const
const sold = (winnerId: number, priceMinor: number) =>
  expect.objectContaining({ outcome: 'sold', winnerId, priceMinor })

type Row = {
  readonly title: string
  readonly terms?: Terms
  readonly steps: readonly Step[]
  readonly assumption: Assumption
  readonly path: readonly (readonly [price: number, leader: number | undefined, without: string | undefined])[]
  readonly result: unknown
}

const none = undefined

const rows: readonly Row[] = [
  {
    title: 'a larger increment refuses bids that are too low for it',
    steps: [bid(2, 100), bid(3, 105), bid(4, 150), atEnd],
    assumption: under({ minimumBidIncrement: 10 }),
    path: [
      [100, 2, none],
      [100, 2, 'bid-too-low'],
      [150, 4, none],
      [150, 4, none],
    ],
    result: sold(4, 150),
  },
  {
    title: 'other increments change automatic bids',
    steps: [bid(2, 100, 200), bid(3, 150), atEnd],
    assumption: under({ incrementSteps: [{ fromPrice: 150, increment: 20 }] }),
    path: [
      [100, 2, none],
      [170, 2, none],
      [170, 2, none],
    ],
    result: sold(2, 170),
  },
  {
    title: 'a reserve lifts the price to it, if a maximum covers it',
    steps: [bid(2, 100, 200), atEnd],
    assumption: under({ reservePrice: 180 }),
    path: [
      [180, 2, none],
      [180, 2, none],
    ],
    result: sold(2, 180),
  },
  {
    title: 'a reserve above all bids leaves it unsold',
    steps: [bid(2, 100, 200), atEnd],
    assumption: under({ reservePrice: 300 }),
    path: [
      [100, 2, none],
      [100, 2, none],
    ],
    result: { outcome: 'unsold', reason: 'reserve-not-met' },
  },
  {
    title: 'without a bidder, the others bid against each other, even below the guard',
    terms: termsWith({ maximumBidIncrementMinor: 50 }),
    steps: [bid(2, 100), bid(3, 140), bid(4, 190), atEnd],
    assumption: without(3),
    path: [
      [100, 2, none],
      [100, 2, 'left-out'],
      [190, 4, none],
      [190, 4, none],
    ],
    result: sold(4, 190),
  },
  {
    title: 'a bid above the buy-now price counts while the offer is still open',
    terms: termsWith({ buyNowPriceMinor: 150 }),
    steps: [bid(2, 100), bid(3, 160), atEnd],
    assumption: without(2),
    path: [
      [100, none, 'left-out'],
      [160, 3, none],
      [160, 3, none],
    ],
    result: sold(3, 160),
  },
  {
    title: 'without the buyer, the end is unknown',
    terms: termsWith({ buyNowPriceMinor: 150 }),
    steps: [buy(3)],
    assumption: without(3),
    path: [[100, none, 'left-out']],
    result: undefined,
  },
  {
    title: 'a purchase that the bids rule out is refused',
    terms: termsWith({ buyNowPriceMinor: 150, reservePriceMinor: 140 }),
    steps: [bid(2, 100), buy(3)],
    assumption: under({ reservePrice: null }),
    path: [
      [100, 2, none],
      [100, 2, 'buy-now-not-offered'],
    ],
    result: undefined,
  },
  {
    title: 'without a soft close, late bids are refused',
    terms: softCloseTerms(),
    steps: [
      [bid(2, 100), endMs - 1_000],
      [bid(3, 105), endMs + 1_000],
      [close, endMs + 600_000],
    ],
    assumption: under({ softClose: null }),
    path: [
      [100, 2, none],
      [100, 2, 'auction-ended'],
      [100, 2, none],
    ],
    result: sold(2, 100),
  },
  {
    title: 'with a longer soft close, the result follows the later end',
    terms: softCloseTerms(),
    steps: [
      [bid(2, 100), endMs - 1_000],
      [close, endMs + 125_000],
    ],
    assumption: under({
      softClose: { windowSeconds: 60, extensionSeconds: 600, latestEndTime: isoOf(endMs + 600_000) },
    }),
    path: [
      [100, 2, none],
      [100, 2, none],
    ],
    result: sold(2, 100),
  },
  {
    title: 'without the bidder who extended the auction, it still ends when it did',
    terms: softCloseTerms(),
    steps: [
      [bid(2, 100), endMs - 1_000],
      [bid(3, 105), endMs + 1_000],
      [close, endMs + 600_000],
    ],
    assumption: without(2),
    path: [
      [100, none, 'left-out'],
      [105, 3, none],
      [105, 3, none],
    ],
    result: sold(3, 105),
  },
  {
    title: 'an extension by staff has its effect',
    terms: softCloseTerms(),
    steps: [extend(endMs + 60_000), [bid(2, 100), endMs + 1_000], [close, endMs + 600_000]],
    assumption: under({ softClose: null }),
    path: [
      [100, none, none],
      [100, 2, none],
      [100, 2, none],
    ],
    result: sold(2, 100),
  },
  {
    title: 'a lowered reserve lifts the leader who is recomputed',
    terms: termsWith({ reservePriceMinor: 300 }),
    steps: [bid(2, 100, 200), bid(3, 210), lower(180), atEnd],
    assumption: without(3),
    path: [
      [100, 2, none],
      [100, 2, 'left-out'],
      [180, 2, none],
      [180, 2, none],
    ],
    result: sold(2, 180),
  },
  {
    title: 'a raised maximum stays one, without the bidder who made the price',
    steps: [bid(2, 100, 200), bid(3, 150), bid(2, 151, 300), atEnd],
    assumption: without(3),
    path: [
      [100, 2, none],
      [100, 2, 'left-out'],
      [100, 2, none],
      [100, 2, none],
    ],
    result: sold(2, 100),
  },
  {
    title: 'a withdrawal has its effect on the recomputed prices',
    steps: [bid(2, 100, 200), bid(3, 150), bid(4, 300), withdraw(4), bid(3, 170), atEnd],
    assumption: under({ minimumBidIncrement: 10 }),
    path: [
      [100, 2, none],
      [160, 2, none],
      [300, 4, none],
      [160, 2, none],
      [180, 2, none],
      [180, 2, none],
    ],
    result: sold(2, 180),
  },
  {
    title: 'an assumed reserve replaces lowered ones',
    terms: termsWith({ reservePriceMinor: 300 }),
    steps: [bid(2, 100, 200), lower(0), atEnd],
    assumption: under({ reservePrice: 250 }),
    path: [
      [100, 2, none],
      [100, 2, none],
      [100, 2, none],
    ],
    result: { outcome: 'unsold', reason: 'reserve-not-met' },
  },
  {
    title: 'assumed terms replace corrected ones, and the other corrected terms stay',
    steps: [correct({ startingPrice: 120, minimumBidIncrement: 50 }), bid(2, 120), bid(3, 170), cancel()],
    assumption: under({ minimumBidIncrement: 60 }),
    path: [
      [120, none, none],
      [120, 2, none],
      [120, 2, 'bid-too-low'],
    ],
    result: undefined,
  },
]

test.each(rows)('$title', async ({ terms = termsWith(), steps, assumption, path, result }) => {
  const recomputed = await recompute(terms, steps, assumption)
  expect(shown(recomputed.path)).toEqual(path)
  expect(recomputed.recomputed).toEqual(result)
})

test('refuses terms that no auction may have, and an unknown auction', async () => {
  const terms = termsWith()
  const store = await storeHolding(terms, [])
  const ignore = () => undefined
  expect(await recomputeAuction(store, terms.id, under({ reservePrice: 50 }), ignore)).toMatchObject({
    ok: false,
    refusal: {
      code: 'validation-failed',
      errors: [{ pointer: '/reservePrice', message: 'must be at least startingPrice' }],
    },
  })
  expect(await recomputeAuction(store, toAuctionId(99), {}, ignore)).toMatchObject({
    ok: false,
    refusal: { code: 'auction-not-found' },
  })
  await expect(recomputeAuction(store, 0 as AuctionId, {}, ignore)).rejects.toThrow('must be an integer')
})
