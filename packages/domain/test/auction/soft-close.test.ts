import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Terms } from '../../src/auction/auction.ts'
import { decide } from '../../src/auction/decide.ts'
import { effectiveEndMs } from '../../src/auction/status.ts'
import { isoOf } from '../../src/values/moment.ts'
import {
  after,
  bid,
  buy,
  cancel,
  codeOf,
  endMs,
  marginMs,
  play,
  type Step,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

/** Late bids are those in the last minute; they extend by two minutes, up to ten minutes past the end. */
const terms = softCloseTerms()
const secondMs = 1_000
const windowMs = 60 * secondMs
const extensionMs = 120 * secondMs
const latestMs = endMs + 600 * secondMs

const lastEvent = (of: Terms, ...steps: readonly Step[]) => {
  const last = play(of, ...steps).at(-1)
  if (!last?.ok) throw new Error(`it was refused: ${JSON.stringify(last?.refusal)}`)
  return last.event
}

describe('a bid moves the end', () => {
  test.each([
    ['a millisecond before the window', endMs - windowMs - 1, undefined],
    ['exactly when the window begins', endMs - windowMs, endMs - windowMs + extensionMs],
    ['a millisecond into the window', endMs - windowMs + 1, endMs - windowMs + 1 + extensionMs],
    ['a millisecond before the end', endMs - 1, endMs - 1 + extensionMs],
    ['at the start', startMs, undefined],
  ])('%s', (_, atMs, movedMs) => {
    const event = lastEvent(terms, [bid(2, 100), atMs])
    expect(event).toStrictEqual({
      type: 'bid-placed',
      bidderId: 2,
      amountMinor: 100,
      ...(movedMs !== undefined && { extendedEndMs: movedMs }),
    })
    const state = after(terms, [bid(2, 100), atMs])
    expect(state).toStrictEqual({
      phase: 'open',
      bidCount: 1,
      leader: { bidId: 10, bidderId: 2, amountMinor: 100 },
      atMs,
      ...(movedMs !== undefined && { extendedEndMs: movedMs }),
    })
    expect(effectiveEndMs(terms, state)).toBe(movedMs ?? endMs)
  })

  test('again, counted from the current end', () => {
    const movedMs = endMs - 1 + extensionMs
    const state = after(terms, [bid(2, 100), endMs - 1], [bid(3, 105), movedMs - 1])
    expect(state.extendedEndMs).toBe(movedMs - 1 + extensionMs)
  })

  test('not in the original window, after the end has moved', () => {
    const state = after(terms, [bid(2, 100), endMs - 1], [bid(3, 105), endMs + 1])
    expect(state.extendedEndMs).toBe(endMs - 1 + extensionMs)
    expect(lastEvent(terms, [bid(2, 100), endMs - 1], [bid(3, 105), endMs + 1])).not.toHaveProperty('extendedEndMs')
  })

  test('only if the new end is later', () => {
    const brief = softCloseTerms({
      softClose: { windowSeconds: 60, extensionSeconds: 10, latestEndTime: isoOf(latestMs) },
    })
    expect(after(brief, [bid(2, 100), endMs - windowMs]).extendedEndMs).toBeUndefined()
    expect(after(brief, [bid(2, 100), endMs - 10 * secondMs]).extendedEndMs).toBeUndefined()
    expect(after(brief, [bid(2, 100), endMs - 10 * secondMs + 1]).extendedEndMs).toBe(endMs + 1)
  })

  test('never past the latest end', () => {
    const near = softCloseTerms({
      softClose: { windowSeconds: 60, extensionSeconds: 120, latestEndTime: isoOf(endMs + 100 * secondMs) },
    })
    expect(after(near, [bid(2, 100), endMs - 20 * secondMs - 1]).extendedEndMs).toBe(endMs + 100 * secondMs - 1)
    expect(after(near, [bid(2, 100), endMs - 20 * secondMs]).extendedEndMs).toBe(endMs + 100 * secondMs)
    expect(after(near, [bid(2, 100), endMs - 1]).extendedEndMs).toBe(endMs + 100 * secondMs)
    const latest = after(near, [bid(2, 100), endMs - 1], [bid(3, 105), endMs + 100 * secondMs - 1])
    expect(latest.extendedEndMs).toBe(endMs + 100 * secondMs)
    expect(codeOf(near, latest, bid(2, 110), endMs + 100 * secondMs)).toBe('auction-ended')
  })

  test('not after the latest end is reached, as its event shows', () => {
    const steps: Step[] = [[bid(2, 100), endMs - 1]]
    for (let amount = 105; amount < 200; amount += 5) {
      const end = after(terms, ...steps).extendedEndMs ?? endMs
      steps.push([bid(amount % 2 === 0 ? 2 : 3, amount), end - 1])
      if (end === latestMs) break
    }
    expect(after(terms, ...steps).extendedEndMs).toBe(latestMs)
    expect(lastEvent(terms, ...steps)).not.toHaveProperty('extendedEndMs')
  })

  test('by the recorded time, if the clock is before the last entry', () => {
    const state = after(terms, [bid(2, 100), endMs - 10], [bid(3, 105), startMs])
    expect(state.atMs).toBe(endMs - 10)
    expect(state.extendedEndMs).toBe(endMs - 10 + extensionMs)
  })

  test('once, even if the service replies with an automatic bid', () => {
    const event = lastEvent(terms, [bid(2, 100, 200), startMs], [bid(3, 120), endMs - 5])
    expect(event).toStrictEqual({
      type: 'bid-placed',
      bidderId: 3,
      amountMinor: 120,
      automatic: { bidderId: 2, amountMinor: 125 },
      extendedEndMs: endMs - 5 + extensionMs,
    })
  })

  test('not by raising only a maximum', () => {
    const state = after(terms, [bid(2, 100, 200), startMs], [bid(2, 100, 300), endMs - 5])
    expect(state.extendedEndMs).toBeUndefined()
    const moved = after(terms, [bid(2, 100, 200), endMs - 50], [bid(2, 100, 300), endMs - 5])
    expect(moved.extendedEndMs).toBe(endMs - 50 + extensionMs)
  })

  test('by raising a maximum that covers the reserve, since that makes a bid', () => {
    const reserved = softCloseTerms({ reservePriceMinor: 250 })
    const event = lastEvent(reserved, [bid(2, 100, 200), startMs], [bid(2, 100, 300), endMs - 5])
    expect(event).toStrictEqual({
      type: 'maximum-raised',
      bidderId: 2,
      amountMinor: 100,
      maximumMinor: 300,
      automatic: { bidderId: 2, amountMinor: 250 },
      extendedEndMs: endMs - 5 + extensionMs,
    })
  })

  test('not without a soft close', () => {
    expect(after(termsWith(), [bid(2, 100), endMs - 1])).not.toHaveProperty('extendedEndMs')
  })
})

describe('a refused bid does not move the end', () => {
  const late = after(terms, [bid(2, 100), endMs - 1_000])
  test.each([
    ['a bid that is too low', bid(3, 104), 'bid-too-low'],
    ['a bid of the owner', bid(1, 500), 'owner-cannot-bid'],
    ['a bid with a fraction of a yen', bid(3, 500.5), 'inexact-amount'],
    ['a maximum that is not raised', bid(2, 100, 100), 'maximum-not-raised'],
    ['a purchase that is not offered', buy(3), 'buy-now-not-offered'],
    ['a cancellation after a bid', cancel(), 'auction-has-bids'],
  ])('%s', (_, command, code) => {
    const [, refused] = play(terms, [bid(2, 100), endMs - 1_000], [command, endMs - 1])
    expect(refused).toMatchObject({ ok: false, refusal: { code } })
    expect(refused?.state).toStrictEqual(late)
  })
})

describe('after the original end', () => {
  const movedMs = endMs - 1 + extensionMs
  const state = after(terms, [bid(2, 100), endMs - 1])
  const bids = after(terms, [bid(2, 100), startMs])

  test('a bid is accepted until the extended end', () => {
    expect(codeOf(terms, state, bid(3, 105), endMs)).toBe('accepted')
    expect(codeOf(terms, state, bid(3, 105), movedMs - 1)).toBe('accepted')
    expect(codeOf(terms, state, bid(3, 105), movedMs)).toBe('auction-ended')
  })

  test('no bid is accepted if none has moved the end', () => {
    expect(codeOf(terms, bids, bid(3, 105), endMs - 1)).toBe('accepted')
    expect(codeOf(terms, bids, bid(3, 105), endMs)).toBe('auction-ended')
  })

  test('a refusal contains the actual end, written as sent if no bid has moved it', () => {
    const refusalOf = (...args: Parameters<typeof decide>) => {
      const decision = decide(...args)
      return decision.ok ? undefined : decision.refusal
    }
    expect(refusalOf(terms, state, bid(3, 105), movedMs)).toStrictEqual({
      code: 'auction-ended',
      endTime: { iso: isoOf(movedMs), epochMs: movedMs },
    })
    expect(refusalOf(terms, bids, bid(3, 105), movedMs)).toStrictEqual({
      code: 'auction-ended',
      endTime: terms.endTime,
    })
    expect(refusalOf(terms, state, { type: 'close', marginMs }, movedMs)).toStrictEqual({
      code: 'not-due',
      endTime: { iso: isoOf(movedMs), epochMs: movedMs },
    })
  })

  test('the auction is closed after the extended end, which it keeps', () => {
    expect(codeOf(terms, state, { type: 'close', marginMs }, endMs + marginMs)).toBe('not-due')
    expect(codeOf(terms, state, { type: 'close', marginMs }, movedMs + marginMs - 1)).toBe('not-due')
    expect(after(terms, [bid(2, 100), endMs - 1], [{ type: 'close', marginMs }, movedMs + marginMs])).toStrictEqual({
      phase: 'closed',
      bidCount: 1,
      leader: { bidId: 10, bidderId: 2, amountMinor: 100 },
      atMs: movedMs + marginMs,
      extendedEndMs: movedMs,
      result: { outcome: 'sold', bidId: 10, winnerId: 2, priceMinor: 100 },
    })
  })
})

describe('any bids', () => {
  const anyTerms = fc
    .record({
      windowSeconds: fc.integer({ min: 1, max: 20 }),
      extensionSeconds: fc.integer({ min: 1, max: 20 }),
      overtimeMs: fc.integer({ min: 1, max: 60_000 }),
    })
    .map(({ overtimeMs, ...seconds }) =>
      termsWith({
        endTime: isoOf(startMs + 10_000),
        softClose: { ...seconds, latestEndTime: isoOf(startMs + 10_000 + overtimeMs) },
      }),
    )
  const anyBids = fc.array(
    fc.record({
      afterMs: fc.nat(8_000),
      bidderId: fc.integer({ min: 1, max: 4 }),
      above: fc.integer({ min: -20, max: 20 }),
      maximumAbove: fc.option(fc.nat(40)),
    }),
    { maxLength: 40 },
  )

  test('move the end by the rule, only if they are accepted', () => {
    fc.assert(
      fc.property(anyTerms, anyBids, (of, bids) => {
        const { softClose } = of
        if (softClose === undefined) throw new Error('all of them have one')
        let nowMs = startMs
        let price = 100
        const steps = bids.map(({ afterMs, bidderId, above, maximumAbove }): Step => {
          nowMs += afterMs
          const amount = Math.max(1, price + above)
          price = Math.max(price, amount)
          return [bid(bidderId, amount, maximumAbove === null ? undefined : amount + maximumAbove), nowMs]
        })
        let end = of.endTime.epochMs
        for (const { state, before, nowMs: atMs, ...played } of play(of, ...steps)) {
          if (played.ok && state.bidCount > before.bidCount) {
            expect(atMs).toBeLessThan(end)
            const isLate = atMs >= end - softClose.windowSeconds * 1_000
            const to = atMs + softClose.extensionSeconds * 1_000
            if (isLate && to > end) end = Math.min(to, softClose.latestEndTime.epochMs)
          }
          expect(effectiveEndMs(of, state)).toBe(end)
        }
        expect(end).toBeGreaterThanOrEqual(of.endTime.epochMs)
        expect(end).toBeLessThanOrEqual(softClose.latestEndTime.epochMs)
      }),
      { numRuns: 500 },
    )
  })
})
