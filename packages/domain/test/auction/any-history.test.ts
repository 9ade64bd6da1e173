import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { AuctionEvent } from '../../src/auction/events.ts'
import { isReserveMet } from '../../src/auction/formats/english/prices.ts'
import type { EnglishState } from '../../src/auction/formats/english/state.ts'
import type { EnglishTerms } from '../../src/auction/formats/english/terms.ts'
import type { AuctionResult } from '../../src/auction/life-events.ts'
import { termsIn } from '../../src/auction/state.ts'
import { effectiveEndMs } from '../../src/auction/status.ts'
import { anySteps, anyTerms } from './any-history.ts'
import { marginMs, type Played, play } from './play.ts'

/** The bids in the order of lists: the placed bid, then the automatic bid. */
function bidsIn(played: Played): readonly { readonly bidderId: number; readonly amountMinor: number }[] {
  if (!played.ok) return []
  const { event } = played
  if (event.type !== 'bid-placed' && event.type !== 'maximum-raised' && event.type !== 'reserve-lowered') return []
  const { automatic } = event
  return [...(event.type === 'bid-placed' ? [event] : []), ...(automatic === undefined ? [] : [automatic])]
}

/** Every bid counts, the last bid leads, and a leader keeps a maximum only above the leading amount. */
function expectBids({ before, state, ...played }: Played): void {
  const bids = bidsIn({ before, state, ...played })
  expect(state.bidCount).toBe(before.bidCount + bids.length)
  const last = bids.at(-1)
  if (last === undefined) expect(state.leader?.bidId).toBe(before.leader?.bidId)
  else expect(state.leader).toMatchObject({ bidderId: last.bidderId, amountMinor: last.amountMinor })
  const { amountMinor = 0, maximumMinor } = state.leader ?? {}
  if (maximumMinor !== undefined) expect(maximumMinor).toBeGreaterThan(amountMinor)
}

/** Amounts rise, except when a leader is defended at the maximum, and no bid is the owner’s. */
function expectAmounts({ ownerId }: EnglishTerms, history: readonly Played[]): void {
  const amounts = history.flatMap(bidsIn)
  for (const [index, { bidderId, amountMinor }] of amounts.entries()) {
    const before = amounts[index - 1]
    expect(bidderId).not.toBe(ownerId)
    if (before !== undefined) expect(amountMinor).toBeGreaterThanOrEqual(before.amountMinor)
    if (before?.amountMinor === amountMinor) expect(before.bidderId).not.toBe(bidderId)
  }
}

const isBid = ({ type }: AuctionEvent): boolean => type === 'bid-placed' || type === 'maximum-raised'
const isRepair = ({ type }: AuctionEvent): boolean => ['extended', 'ended-early', 'reserve-lowered'].includes(type)

/** Time never goes back, and bids and purchases are in time. */
function expectTime(terms: EnglishTerms, { before, state, nowMs, ...played }: Played): void {
  expect(state.atMs).toBeGreaterThanOrEqual(before.atMs)
  if (!played.ok || isRepair(played.event)) return
  const endMs = effectiveEndMs(terms, before)
  const isClose = played.event.type === 'closed'
  if (isClose) expect(nowMs).toBeGreaterThanOrEqual(endMs + marginMs)
  else expect(nowMs).toBeLessThan(endMs)
  const mayPrecedeStart = played.event.type === 'cancelled' || played.event.type === 'corrected'
  if (!mayPrecedeStart) expect(nowMs).toBeGreaterThanOrEqual(terms.startTime.epochMs)
}

/** Staff move the end, and late bids of an auction with a soft close move it later, up to the latest end. */
function expectEnds(terms: EnglishTerms, history: readonly Played[]): void {
  const { softClose } = terms
  let end = terms.endTime.epochMs
  let latest = softClose?.latestEndTime.epochMs ?? 0
  let isEndedEarly = false
  for (const { before, state, nowMs, ...played } of history) {
    if (played.ok && (played.event.type === 'extended' || played.event.type === 'ended-early')) {
      const { type, endMs } = played.event
      if (type === 'ended-early') expect(endMs).toBe(Math.min(end, nowMs + 1))
      isEndedEarly = type === 'ended-early' && (isEndedEarly || endMs < end)
      latest += endMs - end
      end = endMs
    } else if (softClose !== undefined && !isEndedEarly && played.ok && isBid(played.event)) {
      const isLate = nowMs >= end - softClose.windowSeconds * 1_000
      const to = nowMs + softClose.extensionSeconds * 1_000
      if (isLate && state.bidCount > before.bidCount && to > end) end = Math.min(to, latest)
    }
    expect(effectiveEndMs(terms, state)).toBe(end)
  }
}

/**
 * Anyone but the owner can buy in time until the first bid, or until the reserve is met. The owner can cancel until the first bid,
 * or until the end by the terms, and staff with a reason until the end.
 */
function expectEarlyEnds(terms: EnglishTerms, { command, before, nowMs, ok }: Played): void {
  if (before.phase !== 'open') return
  const isBeforeEnd = nowMs < effectiveEndMs(terms, before)
  if (command.type === 'buy-now') {
    const present = termsIn(terms, before)
    const isOffered = present.reservePriceMinor === undefined ? before.bidCount === 0 : !isReserveMet(present, before)
    const mayBuy = terms.buyNowPriceMinor !== undefined && isOffered && command.buyerId !== terms.ownerId
    expect(ok).toBe(mayBuy && isBeforeEnd && nowMs >= terms.startTime.epochMs)
  }
  if (command.type === 'cancel') {
    const isFree = terms.cancellableUntilEnd === true || before.bidCount === 0
    expect(ok).toBe((command.isForced === true || isFree) && isBeforeEnd)
  }
}

/** A correction precedes all bids, and every later state keeps the corrections. */
function expectCorrections({ command, before, state, ok }: Played): void {
  if (command.type !== 'correct') expect(state.corrections).toStrictEqual(before.corrections)
  else if (ok) {
    expect(before).toMatchObject({ phase: 'open', bidCount: 0 })
    expect(state.corrections?.count).toBe((before.corrections?.count ?? 0) + 1)
  }
}

/** Nothing follows the end, and the result follows from the bids. */
function expectResult(terms: EnglishTerms, history: readonly Played[]): void {
  const [end, ...others] = history.filter(({ before, state }) => before.phase === 'open' && state.phase === 'closed')
  expect(others).toEqual([])
  if (end?.state.phase !== 'closed' || !end.ok) return
  expect(history.slice(history.indexOf(end) + 1).filter(({ ok }) => ok)).toEqual([])
  const { event, before, state } = end
  expect({ ...state, phase: 'open', atMs: before.atMs, result: undefined }).toEqual({ ...before, result: undefined })
  if (event.type === 'closed') expect(state.result).toStrictEqual(resultByTime(terms, before))
  if (event.type === 'bought')
    expect(state.result).toStrictEqual({ outcome: 'bought', buyerId: event.buyerId, priceMinor: 500 })
  if (event.type === 'cancelled') {
    const { reason } = event
    expect(state.result).toStrictEqual({ outcome: 'cancelled', ...(reason !== undefined && { reason }) })
  }
}

const resultByTime = (terms: EnglishTerms, { leader, repairs }: EnglishState): AuctionResult => {
  const reserve = repairs?.reservePriceMinor ?? terms.reservePriceMinor ?? 0
  const early = repairs?.isEndedEarly ? ({ isEndedEarly: true } as const) : {}
  if (leader === null) return { outcome: 'unsold', reason: 'no-bids', ...early }
  if (leader.amountMinor < reserve) return { outcome: 'unsold', reason: 'reserve-not-met', ...early }
  return { outcome: 'sold', bidId: leader.bidId, winnerId: leader.bidderId, priceMinor: leader.amountMinor, ...early }
}

test('any history of an auction with any terms follows the rules of bids, time, ends, corrections and results', () => {
  fc.assert(
    fc.property(anyTerms, anySteps, (terms, steps) => {
      const history = play(terms, ...steps)
      expectAmounts(terms, history)
      expectEnds(terms, history)
      expectResult(terms, history)
      for (const played of history) {
        expectBids(played)
        expectTime(terms, played)
        expectEarlyEnds(terms, played)
        expectCorrections(played)
      }
    }),
    { numRuns: isLong ? 5_000 : 500 },
  )
})

test('every kind of event and refusal occurs', () => {
  const seen = new Set<string>()
  for (const [terms, steps] of fc.sample(fc.tuple(anyTerms, anySteps), { numRuns: 1_000, seed: 12 })) {
    for (const played of play(terms, ...steps)) {
      seen.add(played.ok ? played.event.type : played.refusal.code)
      if (!played.ok) continue
      const { event } = played
      if (event.type === 'closed') seen.add(event.result.outcome === 'sold' ? 'sold' : event.result.reason)
      if ('extendedEndMs' in event) seen.add('moves the end')
      if (event.type === 'reserve-lowered' && event.automatic) seen.add('bids the reserve')
    }
  }
  expect([...seen].toSorted()).toEqual([
    ...['already-cancelled', 'already-closed', 'auction-cancelled', 'auction-ended', 'auction-has-bids'],
    ...[
      'auction-not-started',
      'bid-not-on-step',
      'bid-placed',
      'bid-too-high',
      'bid-too-low',
      'bids the reserve',
      'bought',
    ],
    ...['buy-now-is-lower', 'buy-now-not-offered', 'cancelled', 'closed', 'corrected', 'ended-early', 'extended'],
    ...['maximum-not-raised', 'maximum-raised', 'moves the end', 'no-bids', 'not-due', 'owner-cannot-bid'],
    ...[
      'owner-cannot-buy',
      'reserve-lowered',
      'reserve-lowered-before',
      'reserve-not-met',
      'sold',
      'validation-failed',
    ],
  ])
})
