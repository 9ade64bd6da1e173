import { sampleAuction, sampleClosed, sampleEntry } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Terms, termsOf } from '../../src/auction/auction.ts'
import { decide, ledgerTimeMs } from '../../src/auction/decide.ts'
import {
  type AuctionState,
  currentPriceMinor,
  evolve,
  initialState,
  minimumNextBidMinor,
} from '../../src/auction/state.ts'
import { toPositiveDecimal } from '../../src/values/amount.ts'
import { toBidId, toUserId } from '../../src/values/ids.ts'
import { AMOUNT_LIMIT_MINOR } from '../../src/values/money.ts'

const terms = termsOf(sampleAuction({ ownerId: 1, startingPriceMinor: 100_00, minimumBidIncrementMinor: 5_00 }))
const startMs = terms.startTime.epochMs
const endMs = terms.endTime.epochMs
const marginMs = 2_000

const bid = (bidderId: number, amountMinor: number) =>
  ({
    type: 'place-bid',
    bidderId: toUserId(bidderId),
    amount: toPositiveDecimal(amountMinor / 100),
  }) as const
const close = { type: 'close', marginMs } as const

/** After the third bid, by user 2 at 150.00. */
const third = sampleEntry({ id: 30, sequence: 3, bidderId: 2, amountMinor: 150_00, atMs: startMs + 1_000 }).state

const closed = sampleClosed({ sequence: 4 }).state

const codeOf = (...args: Parameters<typeof decide>): string => {
  const decision = decide(...args)
  return decision.ok ? 'accepted' : decision.refusal.code
}

test('a new auction is open, without bids, with the earliest time', () => {
  expect(initialState).toStrictEqual({ phase: 'open', bidCount: 0, leader: null, atMs: 0 })
})

test('the terms of an auction contain what decisions need, and no texts except the times', () => {
  const { title, description, productId, createdAtMs, ...needed } = sampleAuction({ title: '', description: '' })
  expect(termsOf(sampleAuction({ title: 'A vase', description: 'It is old.' }))).toStrictEqual(needed)
})

describe('the price', () => {
  test.each([
    ['starts at the starting price', terms, initialState, 100_00, 100_00],
    ['is the highest bid, and rises by the increment', terms, third, 150_00, 155_00],
    ['of zero requires one minor unit', termsOf(sampleAuction({ startingPriceMinor: 0 })), initialState, 0, 1],
    [
      'of one minor unit requires one minor unit',
      termsOf(sampleAuction({ startingPriceMinor: 1 })),
      initialState,
      1,
      1,
    ],
  ])('%s', (_, of, state, current, next) => {
    expect(currentPriceMinor(of, state)).toBe(current)
    expect(minimumNextBidMinor(of, state)).toBe(next)
  })

  test.each([
    [1, 1e15 - 2, 1e15 - 1],
    [1, 1e15 - 1, undefined],
    [2, 1e15 - 2, undefined],
    [1e15 - 1, 1, undefined],
    [1e15 - 1, 1e15 - 1, undefined],
  ])('with an increment of %i on %i makes the minimum next bid %s', (minimumBidIncrementMinor, amountMinor, least) => {
    const dear = termsOf(sampleAuction({ minimumBidIncrementMinor, currency: 'JPY' }))
    const { state } = sampleEntry({ amountMinor })
    expect(minimumNextBidMinor(dear, state)).toBe(least)
    const largest = { ...bid(3, 1), amount: toPositiveDecimal(1e15 - 1) }
    expect(decide(dear, state, largest, startMs + 1)).toMatchObject(
      least === undefined
        ? { refusal: { code: 'bid-too-low', currentPriceMinor: amountMinor, minimumNextBidMinor: undefined } }
        : { ok: true },
    )
  })
})

describe('a bid', () => {
  test.each([
    ['is accepted at exactly the starting price', initialState, bid(2, 100_00), startMs, 'accepted'],
    ['the first below the starting price', initialState, bid(2, 99_99), startMs, 'bid-too-low'],
    ['far above the price', initialState, bid(2, 1e15 - 1), startMs, 'accepted'],
    ['at exactly the increment above the leader', third, bid(3, 155_00), startMs + 2_000, 'accepted'],
    ['a minor unit below the increment', third, bid(3, 154_99), startMs + 2_000, 'bid-too-low'],
    ['equal to the leading one, which was first', third, bid(3, 150_00), startMs + 2_000, 'bid-too-low'],
    ['of the leader, who raises its own bid', third, bid(2, 155_00), startMs + 2_000, 'accepted'],
    ['of the owner', third, bid(1, 200_00), startMs + 2_000, 'owner-cannot-bid'],
    ['a millisecond before the start', initialState, bid(2, 100_00), startMs - 1, 'auction-not-started'],
    ['at the start', initialState, bid(2, 100_00), startMs, 'accepted'],
    ['a millisecond before the end', third, bid(3, 155_00), endMs - 1, 'accepted'],
    ['at the end', third, bid(3, 155_00), endMs, 'auction-ended'],
    ['long after the end', third, bid(3, 155_00), endMs + 1e9, 'auction-ended'],
    ['by a clock that is before the last entry', third, bid(3, 155_00), startMs + 1, 'accepted'],
    ['by a clock before the start, after the first entry', third, bid(3, 155_00), startMs - 1e9, 'accepted'],
    ['on a closed auction, by a clock that is far behind', closed, bid(3, 900_00), startMs, 'auction-ended'],
    [
      'with a fraction of a minor unit',
      third,
      { ...bid(3, 1), amount: toPositiveDecimal(155.001) },
      startMs,
      'inexact-amount',
    ],
  ])('is accepted or refused: %s', (_, state, command, nowMs, code) => {
    expect(codeOf(terms, state, command, nowMs)).toBe(code)
  })

  test.each([
    ['before the start: the owner, too low', initialState, bid(1, 1), startMs - 1, 'auction-not-started'],
    ['after the end: the owner, too low', third, bid(1, 1), endMs, 'auction-ended'],
    ['in time: the owner, too low', third, bid(1, 1), startMs + 2_000, 'owner-cannot-bid'],
    ['in time: another user, too low', third, bid(2, 1), startMs + 2_000, 'bid-too-low'],
  ])('is refused for one reason, in the order of the rules: %s', (_, state, command, nowMs, code) => {
    expect(codeOf(terms, state, command, nowMs)).toBe(code)
  })

  test('with too many decimals is refused with the invalid fields and the currency', () => {
    const amount = toPositiveDecimal(155.001)
    expect(decide(terms, third, { ...bid(3, 1), amount }, startMs)).toEqual({
      ok: false,
      refusal: { code: 'inexact-amount', fields: ['amount'], currency: terms.currency },
    })
  })

  test('is decided at a time that never goes back', () => {
    expect(ledgerTimeMs(initialState, startMs + 5)).toBe(startMs + 5)
    expect(ledgerTimeMs(third, startMs + 2_000)).toBe(startMs + 2_000)
    expect(ledgerTimeMs(third, startMs)).toBe(startMs + 1_000)
  })

  test('that is refused receives the figures for a better one', () => {
    const refusalOf = (...args: Parameters<typeof decide>) => {
      const decision = decide(...args)
      return decision.ok ? undefined : decision.refusal
    }
    expect(refusalOf(terms, third, bid(3, 1), startMs + 2_000)).toEqual({
      code: 'bid-too-low',
      currentPriceMinor: 150_00,
      minimumNextBidMinor: 155_00,
      currency: { code: 'USD', exponent: 2 },
    })
    expect(refusalOf(terms, initialState, bid(3, 1), 0)).toEqual({
      code: 'auction-not-started',
      startTime: terms.startTime,
    })
    expect(refusalOf(terms, third, bid(3, 1), endMs)).toEqual({ code: 'auction-ended', endTime: terms.endTime })
    expect(refusalOf(terms, third, bid(1, 1), startMs)).toEqual({ code: 'owner-cannot-bid' })
  })
})

describe('closing', () => {
  test.each([
    ['long before the end', third, startMs, 'not-due'],
    ['at the end', third, endMs, 'not-due'],
    ['a millisecond before the margin is over', third, endMs + marginMs - 1, 'not-due'],
    ['when the margin is over', third, endMs + marginMs, 'accepted'],
    ['much later', third, endMs + 1e9, 'accepted'],
    ['of an auction without bids', initialState, endMs + marginMs, 'accepted'],
    ['of an auction that is closed', closed, endMs + marginMs, 'already-closed'],
    ['of an auction that is closed, by a clock that is behind', closed, startMs, 'already-closed'],
  ])('is accepted or refused: %s', (_, state, nowMs, code) => {
    expect(codeOf(terms, state, close, nowMs)).toBe(code)
  })

  test('before it is due is refused with the end', () => {
    expect(decide(terms, third, close, endMs)).toEqual({
      ok: false,
      refusal: { code: 'not-due', endTime: terms.endTime },
    })
  })

  test('records the winner, the bid and the price', () => {
    expect(decide(terms, third, close, endMs + marginMs)).toEqual({
      ok: true,
      value: { type: 'closed', result: { outcome: 'sold', bidId: 30, winnerId: 2, priceMinor: 150_00 } },
    })
  })

  test('records that the auction has no bid', () => {
    expect(decide(terms, initialState, close, endMs + marginMs)).toEqual({
      ok: true,
      value: { type: 'closed', result: { outcome: 'unsold', reason: 'no-bids' } },
    })
  })
})

describe('the state after an event', () => {
  const id = toBidId(9)
  const bidderId = toUserId(4)

  test('of a bid has a new leader, one more bid, and its time', () => {
    const event = { type: 'bid-placed', bidderId, amountMinor: ledgerAmount(200_00) } as const
    expect(evolve(third, { id, atMs: startMs + 7_000, event })).toStrictEqual({
      phase: 'open',
      bidCount: 4,
      leader: { bidId: 9, bidderId: 4, amountMinor: 200_00 },
      atMs: startMs + 7_000,
    })
  })

  test('of the end has a result, and otherwise only a new time', () => {
    const decided = decide(terms, third, close, endMs + marginMs)
    if (!decided.ok) throw new Error('it is due')
    expect(evolve(third, { id, atMs: endMs + marginMs, event: decided.value })).toStrictEqual({
      phase: 'closed',
      bidCount: 3,
      leader: { bidId: 30, bidderId: 2, amountMinor: 150_00 },
      atMs: endMs + marginMs,
      result: { outcome: 'sold', bidId: 30, winnerId: 2, priceMinor: 150_00 },
    })
  })
})

const ledgerAmount = (amountMinor: number) => sampleEntry({ amountMinor }).event.amountMinor

describe('any history of commands', () => {
  const mostMinor = AMOUNT_LIMIT_MINOR - 1
  const inBounds = (amountMinor: number) => Math.min(mostMinor, Math.max(1, amountMinor))
  const anyTerms = fc
    .record({
      // Near both limits of amounts.
      startingPriceMinor: fc.oneof(
        fc.constant(0),
        fc.nat(1_000),
        fc.nat(1_000).map((below) => mostMinor - below),
      ),
      minimumBidIncrementMinor: fc.integer({ min: 1, max: 100 }),
      lengthMs: fc.integer({ min: 1, max: 1_000 }),
    })
    .map(({ lengthMs, ...prices }) =>
      termsOf(sampleAuction({ ...prices, endTime: new Date(startMs + lengthMs).toISOString() })),
    )
  const anySteps = fc.array(
    fc.record({
      isClose: fc.boolean(),
      bidderId: fc.integer({ min: 1, max: 4 }),
      // Around the price, so that some are accepted and some are not.
      aboveNext: fc.integer({ min: -60, max: 60 }),
      // Clocks go back and forth, beyond both ends of the auction.
      clockMs: fc.integer({ min: -100, max: 4_000 }),
    }),
    { maxLength: 60 },
  )

  type Step = {
    readonly isClose: boolean
    readonly bidderId: number
    readonly aboveNext: number
    readonly clockMs: number
  }

  /** Each state that the commands lead to, with the refusal in it. */
  function play(of: Terms, steps: readonly Step[]) {
    const states: AuctionState[] = [initialState]
    const refusals: { readonly state: AuctionState; readonly amountMinor: number; readonly code: string }[] = []
    for (const { isClose, bidderId, aboveNext, clockMs } of steps) {
      const state = states.at(-1) ?? initialState
      const amountMinor = inBounds((minimumNextBidMinor(of, state) ?? mostMinor) + aboveNext)
      const nowMs = of.startTime.epochMs + clockMs
      const decision = decide(of, state, isClose ? close : bid(bidderId, amountMinor), nowMs)
      if (decision.ok) {
        const id = toBidId(states.length)
        states.push(evolve(state, { id, atMs: ledgerTimeMs(state, nowMs), event: decision.value }))
      } else refusals.push({ state, amountMinor, code: decision.refusal.code })
    }
    return { states, refusals }
  }

  test('raises the price by at least the increment, and never for the owner', () => {
    fc.assert(
      fc.property(anyTerms, anySteps, (of, steps) => {
        const { states } = play(of, steps)
        for (const [index, { leader, bidCount }] of states.entries()) {
          const before = states[index - 1]
          if (leader === null || before === undefined || before.leader === leader) continue
          const least =
            before.leader === null
              ? Math.max(1, of.startingPriceMinor)
              : before.leader.amountMinor + of.minimumBidIncrementMinor
          expect(leader.amountMinor).toBeGreaterThanOrEqual(least)
          expect(leader.bidderId).not.toBe(of.ownerId)
          expect(bidCount).toBe(before.bidCount + 1)
        }
      }),
    )
  })

  test('has times that never decrease, with bids within the auction and the end after it', () => {
    fc.assert(
      fc.property(anyTerms, anySteps, (of, steps) => {
        let latestMs = 0
        for (const { phase, atMs, bidCount } of play(of, steps).states) {
          expect(atMs).toBeGreaterThanOrEqual(latestMs)
          if (phase === 'open' && bidCount > 0) {
            expect(atMs).toBeGreaterThanOrEqual(of.startTime.epochMs)
            expect(atMs).toBeLessThan(of.endTime.epochMs)
          }
          if (phase === 'closed') expect(atMs).toBeGreaterThanOrEqual(of.endTime.epochMs + marginMs)
          latestMs = atMs
        }
      }),
    )
  })

  test('ends with the end: nothing follows, and the leader has won', () => {
    fc.assert(
      fc.property(anyTerms, anySteps, (of, steps) => {
        const { states } = play(of, steps)
        const end = states.findIndex(({ phase }) => phase === 'closed')
        if (end === -1) return
        expect(end).toBe(states.length - 1)
        const state = states[end]
        if (state?.phase !== 'closed') throw new Error('it was found closed')
        const { leader, result } = state
        expect(result).toEqual(
          leader === null
            ? { outcome: 'unsold', reason: 'no-bids' }
            : { outcome: 'sold', bidId: leader.bidId, winnerId: leader.bidderId, priceMinor: leader.amountMinor },
        )
      }),
    )
  })

  test('refuses a bid as too low only if it is', () => {
    fc.assert(
      fc.property(anyTerms, anySteps, (of, steps) => {
        for (const { state, amountMinor, code } of play(of, steps).refusals) {
          if (code !== 'bid-too-low') continue
          const least =
            state.leader === null
              ? Math.max(1, of.startingPriceMinor)
              : state.leader.amountMinor + of.minimumBidIncrementMinor
          expect(amountMinor).toBeLessThan(least)
        }
      }),
    )
  })

  test('ends at the largest amount: the minimum next bid is possible, or undefined', () => {
    fc.assert(
      fc.property(anyTerms, anySteps, (of, steps) => {
        const bidsOnly = steps.map((step) => ({ ...step, isClose: false }))
        const state = play(of, bidsOnly).states.at(-1) ?? initialState
        const next = minimumNextBidMinor(of, state)
        const nowMs = of.startTime.epochMs
        if (next !== undefined) expect(codeOf(of, state, bid(9, next), nowMs)).toBe('accepted')
        else expect(codeOf(of, state, bid(9, mostMinor), nowMs)).toBe('bid-too-low')
      }),
    )
  })

  test('includes accepted bids, bids that are too low, and ends', () => {
    const steps = [60, -1, 0, 5].map((aboveNext, index) => ({ isClose: false, bidderId: 2, aboveNext, clockMs: index }))
    const long = termsOf(sampleAuction({ endTime: new Date(startMs + 1_000).toISOString() }))
    const { states, refusals } = play(long, [...steps, { isClose: true, bidderId: 2, aboveNext: 0, clockMs: 3_500 }])
    expect(states.map(({ phase }) => phase)).toEqual(['open', 'open', 'open', 'open', 'closed'])
    expect(refusals.map(({ code }) => code)).toEqual(['bid-too-low'])
  })
})
