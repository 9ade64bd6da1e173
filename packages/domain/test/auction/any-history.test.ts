import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Terms } from '../../src/auction/auction.ts'
import type { AuctionEvent } from '../../src/auction/events.ts'
import type { AuctionResult, AuctionState } from '../../src/auction/state.ts'
import { isReserveMet, termsIn } from '../../src/auction/state.ts'
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

/** Checks any history of an auction with any formats. */
const inAny = (check: (terms: Terms, history: readonly Played[]) => void) => {
  fc.assert(
    fc.property(anyTerms, anySteps, (terms, steps) => check(terms, play(terms, ...steps))),
    { numRuns: 1_000 },
  )
}

/** Checks each command that comes before the end in the ledger. */
const beforeResult = (check: (terms: Terms, played: Played) => void) =>
  inAny((terms, history) => {
    for (const played of history) if (played.before.phase === 'open') check(terms, played)
  })

test('every bid counts, and the last bid leads', () => {
  inAny((_, history) => {
    for (const played of history) {
      const bids = bidsIn(played)
      expect(played.state.bidCount).toBe(played.before.bidCount + bids.length)
      const last = bids.at(-1)
      if (last === undefined) expect(played.state.leader?.bidId).toBe(played.before.leader?.bidId)
      else expect(played.state.leader).toMatchObject({ bidderId: last.bidderId, amountMinor: last.amountMinor })
    }
  })
})

test('amounts rise, except when a leader is defended at the maximum, and no bid is the owner’s', () => {
  inAny((terms, history) => {
    const amounts = history.flatMap(bidsIn)
    for (const [index, { bidderId, amountMinor }] of amounts.entries()) {
      const before = amounts[index - 1]
      expect(bidderId).not.toBe(terms.ownerId)
      if (before !== undefined) expect(amountMinor).toBeGreaterThanOrEqual(before.amountMinor)
      if (before?.amountMinor === amountMinor) expect(before.bidderId).not.toBe(bidderId)
    }
  })
})

test('a leader keeps a maximum only above the leading amount', () => {
  inAny((_, history) => {
    for (const { state } of history) {
      if (state.leader?.maximumMinor === undefined) continue
      expect(state.leader.maximumMinor).toBeGreaterThan(state.leader.amountMinor)
    }
  })
})

test('time never goes back, and bids and purchases are in time', () => {
  inAny((terms, history) => {
    for (const { before, state, nowMs, ...played } of history) {
      expect(state.atMs).toBeGreaterThanOrEqual(before.atMs)
      if (!played.ok) continue
      if (played.event.type === 'closed') {
        expect(nowMs).toBeGreaterThanOrEqual(effectiveEndMs(terms, before) + marginMs)
        continue
      }
      if (isRepair(played.event)) continue
      expect(nowMs).toBeLessThan(effectiveEndMs(terms, before))
      const mayPrecedeStart = played.event.type === 'cancelled' || played.event.type === 'corrected'
      if (!mayPrecedeStart) expect(nowMs).toBeGreaterThanOrEqual(terms.startTime.epochMs)
    }
  })
})

test('staff move the end, and late bids of an auction with a soft close move it later, up to the latest end', () => {
  inAny((terms, history) => {
    const { softClose } = terms
    let end = terms.endTime.epochMs
    let latest = softClose?.latestEndTime.epochMs ?? 0
    let isEndedEarly = false
    for (const { before, state, nowMs, ...played } of history) {
      if (played.ok && (played.event.type === 'extended' || played.event.type === 'ended-early')) {
        const { type, endMs } = played.event
        expect(endMs).toBe(type === 'extended' ? endMs : Math.min(end, nowMs + 1))
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
  })
})

const isBid = ({ type }: AuctionEvent): boolean => type === 'bid-placed' || type === 'maximum-raised'
const isRepair = ({ type }: AuctionEvent): boolean =>
  type === 'extended' || type === 'ended-early' || type === 'reserve-lowered' || type === 'withdrawn'

test('anyone but the owner can buy in time until the first bid, or until the reserve is met', () => {
  beforeResult((terms, { command, before, nowMs, ok }) => {
    if (command.type !== 'buy-now') return
    const isInTime = nowMs >= terms.startTime.epochMs && nowMs < effectiveEndMs(terms, before)
    const present = termsIn(terms, before)
    const isOffered = present.reservePriceMinor === undefined ? before.bidCount === 0 : !isReserveMet(present, before)
    const isPriced = terms.buyNowPriceMinor !== undefined
    expect(ok).toBe(isInTime && isPriced && isOffered && command.buyerId !== terms.ownerId)
  })
})

test('the owner can cancel until the first bid, or until the end by the terms, and staff with a reason until the end', () => {
  beforeResult((terms, { command, before, nowMs, ok }) => {
    if (command.type !== 'cancel') return
    const isForced = command.mayForce === true && command.reason !== undefined
    const isAllowed = command.requesterId === undefined || command.requesterId === terms.ownerId
    const isFree = terms.cancellableUntilEnd === true || before.bidCount === 0
    expect(ok).toBe((isForced || (isAllowed && isFree)) && nowMs < effectiveEndMs(terms, before))
  })
})

test('a correction precedes all bids, and every later state keeps the corrections', () => {
  inAny((_, history) => {
    for (const { command, before, state, ok } of history) {
      if (command.type !== 'correct') expect(state.corrections).toStrictEqual(before.corrections)
      else if (ok) {
        expect(before).toMatchObject({ phase: 'open', bidCount: 0 })
        expect(state.corrections?.count).toBe((before.corrections?.count ?? 0) + 1)
      }
    }
  })
})

test('nothing follows the end, and the result follows from the bids', () => {
  inAny((terms, history) => {
    const [end, ...others] = history.filter(({ before, state }) => before.phase === 'open' && state.phase === 'closed')
    expect(others).toEqual([])
    if (end?.state.phase !== 'closed' || !end.ok) return
    expect(history.slice(history.indexOf(end) + 1).filter(({ ok }) => ok)).toEqual([])
    const { event, before, state } = end
    expect({ ...state, phase: 'open', atMs: before.atMs, result: undefined }).toEqual({ ...before, result: undefined })
    if (event.type === 'closed') expect(state.result).toStrictEqual(resultByTime(terms, before))
    if (event.type === 'bought') {
      expect(state.result).toStrictEqual({ outcome: 'bought', buyerId: event.buyerId, priceMinor: 500 })
    }
    if (event.type === 'cancelled') {
      const { reason } = event
      expect(state.result).toStrictEqual({ outcome: 'cancelled', ...(reason !== undefined && { reason }) })
    }
  })
})

const resultByTime = (terms: Terms, { leader, repairs }: AuctionState): AuctionResult => {
  const reserve = repairs?.reservePriceMinor ?? terms.reservePriceMinor ?? 0
  const early = repairs?.isEndedEarly ? ({ isEndedEarly: true } as const) : {}
  if (leader === null) return { outcome: 'unsold', reason: 'no-bids', ...early }
  if (leader.amountMinor < reserve) return { outcome: 'unsold', reason: 'reserve-not-met', ...early }
  return { outcome: 'sold', bidId: leader.bidId, winnerId: leader.bidderId, priceMinor: leader.amountMinor, ...early }
}

test('every kind of event and refusal occurs', () => {
  const seen = new Set<string>()
  const histories = fc.sample(fc.tuple(anyTerms, anySteps), { numRuns: 1_000, seed: 12 })
  for (const [terms, steps] of histories) {
    for (const played of play(terms, ...steps)) {
      seen.add(played.ok ? played.event.type : played.refusal.code)
      if (played.ok && played.event.type === 'closed') {
        const { result } = played.event
        seen.add(result.outcome === 'sold' ? 'sold' : result.reason)
      }
      if (played.ok && 'extendedEndMs' in played.event) seen.add('moves the end')
      if (played.ok && played.event.type === 'reserve-lowered' && played.event.automatic) seen.add('bids the reserve')
    }
  }
  expect([...seen].toSorted()).toEqual([
    'already-cancelled',
    'already-closed',
    'auction-cancelled',
    'auction-ended',
    'auction-has-bids',
    'auction-not-started',
    'bid-placed',
    'bid-too-high',
    'bid-too-low',
    'bids the reserve',
    'bought',
    'buy-now-is-lower',
    'buy-now-not-offered',
    'cancelled',
    'closed',
    'corrected',
    'ended-early',
    'extended',
    'maximum-below-amount',
    'maximum-not-raised',
    'maximum-raised',
    'moves the end',
    'no-bids',
    'not-due',
    'not-the-owner',
    'owner-cannot-bid',
    'owner-cannot-buy',
    'reserve-lowered',
    'reserve-lowered-before',
    'reserve-not-met',
    'sold',
    'validation-failed',
  ])
})
