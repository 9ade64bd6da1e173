import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Terms } from '../../src/auction/auction.ts'
import type { CloseCommand, PlaceBidCommand } from '../../src/auction/commands.ts'
import { decide, ledgerTimeMs } from '../../src/auction/decide.ts'
import type { AuctionEvent } from '../../src/auction/events.ts'
import { type AuctionState, evolve, initialState } from '../../src/auction/state.ts'
import { statusAt } from '../../src/auction/status.ts'
import { toBidId } from '../../src/values/ids.ts'
import { AMOUNT_LIMIT_MINOR, toMinor } from '../../src/values/money.ts'
import { bid, close, endMs, startMs, termsWith } from './play.ts'

// The rules of an auction before formats existed: bids, and the end. The current rules must give the same results, with fields in the same order.

function decidePlain(
  terms: Terms,
  state: AuctionState,
  command: PlaceBidCommand | CloseCommand,
  clockMs: number,
): object {
  const { currency, startTime, endTime } = terms
  const nowMs = Math.max(clockMs, state.atMs)
  const refused = (refusal: object) => ({ ok: false, refusal })
  const accepted = (value: object) => ({ ok: true, value })
  if (command.type === 'close') {
    if (state.phase === 'closed') return refused({ code: 'already-closed', endedMs: endTime.epochMs })
    if (nowMs < endTime.epochMs + command.marginMs) return refused({ code: 'not-due', endTime })
    const sold = state.leader && {
      outcome: 'sold',
      bidId: state.leader.bidId,
      winnerId: state.leader.bidderId,
      priceMinor: state.leader.amountMinor,
    }
    return accepted({ type: 'closed', result: sold ?? { outcome: 'unsold', reason: 'no-bids' } })
  }
  const { bidderId, amount } = command
  const amountMinor = toMinor(amount, currency)
  if (amountMinor === undefined) return refused({ code: 'inexact-amount', fields: ['amount'], currency })
  if (nowMs < startTime.epochMs) return refused({ code: 'auction-not-started', startTime })
  if (nowMs >= endTime.epochMs || state.phase === 'closed') {
    return refused({ code: 'auction-ended', endTime, ...(state.phase === 'closed' && { final: 'closed' }) })
  }
  if (bidderId === terms.ownerId) return refused({ code: 'owner-cannot-bid' })
  const currentPriceMinor = state.leader?.amountMinor ?? terms.startingPriceMinor
  const asked = state.leader ? currentPriceMinor + terms.minimumBidIncrementMinor : Math.max(1, currentPriceMinor)
  const minimumNextBidMinor = asked < AMOUNT_LIMIT_MINOR ? asked : undefined
  if (minimumNextBidMinor === undefined || amountMinor < minimumNextBidMinor) {
    return refused({ code: 'bid-too-low', currentPriceMinor, minimumNextBidMinor, currency })
  }
  return accepted({ type: 'bid-placed', bidderId, amountMinor })
}

function evolvePlain(state: AuctionState, id: number, atMs: number, event: AuctionEvent): object {
  switch (event.type) {
    case 'bid-placed': {
      const { bidderId, amountMinor } = event
      return { phase: 'open', bidCount: state.bidCount + 1, leader: { bidId: id, bidderId, amountMinor }, atMs }
    }
    case 'closed': {
      const { bidCount, leader } = state
      return { phase: 'closed', bidCount, leader, atMs, result: event.result }
    }
    default:
      throw new Error(`unexpected ${event.type}`)
  }
}

/** The fields and their order are equal, so that the stored texts are the same. */
function expectSame(actual: object, expected: object) {
  expect(actual).toStrictEqual(expected)
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
}

describe('an auction without formats', () => {
  const anyTerms = fc
    .record({
      startingPriceMinor: fc.oneof(
        fc.constant(0),
        fc.nat(1_000),
        fc.nat(1_000).map((below) => AMOUNT_LIMIT_MINOR - 1 - below),
      ),
      minimumBidIncrementMinor: fc.integer({ min: 1, max: 100 }),
      lengthMs: fc.integer({ min: 1, max: 1_000 }),
    })
    .map(({ lengthMs, ...prices }) => termsWith({ ...prices, endTime: new Date(startMs + lengthMs).toISOString() }))
  const anySteps = fc.array(
    fc.record({
      isClose: fc.boolean(),
      bidderId: fc.integer({ min: 1, max: 4 }),
      above: fc.oneof(fc.constant(0), fc.integer({ min: -60, max: 120 }), fc.constant(0.5)),
      clockMs: fc.oneof({ weight: 4, arbitrary: fc.nat(800) }, fc.integer({ min: -100, max: 4_000 })),
    }),
    { maxLength: 60 },
  )

  test('is decided and recorded as before formats existed, for any bids', () => {
    fc.assert(
      fc.property(anyTerms, anySteps, (terms, steps) => {
        let state = initialState
        for (const [index, { isClose, bidderId, above, clockMs }] of steps.entries()) {
          const price = state.leader?.amountMinor ?? terms.startingPriceMinor
          const amount = Math.min(AMOUNT_LIMIT_MINOR - 1, Math.max(1, price + terms.minimumBidIncrementMinor + above))
          const command = isClose ? close : bid(bidderId, above === 0.5 ? 1.5 : amount)
          const decision = decide(terms, state, command, startMs + clockMs)
          expectSame(decision, decidePlain(terms, state, command, startMs + clockMs))
          if (!decision.ok) continue
          const id = toBidId(index + 1)
          const atMs = ledgerTimeMs(state, startMs + clockMs)
          const next = evolve(state, { id, atMs, event: decision.value })
          expectSame(next, evolvePlain(state, id, atMs, decision.value))
          state = next
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('has the same fields in its terms and the same statuses as before formats existed', () => {
    const terms = termsWith()
    expect(Object.keys(terms)).toEqual([
      'id',
      'ownerId',
      'startingPriceMinor',
      'minimumBidIncrementMinor',
      'currency',
      'startTime',
      'endTime',
    ])
    const statuses = [startMs - 1, startMs, endMs - 1, endMs].map((nowMs) => statusAt(terms, initialState, nowMs))
    expect(statuses).toEqual(['Pending', 'Active', 'Active', 'Ended'])
  })
})
