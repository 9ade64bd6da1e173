import { describe, expect, test } from 'vitest'
import { initialState } from '../../../../src/auction/state.ts'
import { effectiveEnd, effectiveEndMs } from '../../../../src/auction/status.ts'
import { isoOf } from '../../../../src/values/moment.ts'
import {
  after,
  bid,
  close,
  endMs,
  eventOf,
  expectRule,
  marginMs,
  type Rule,
  refusalOf,
  type Step,
  softCloseTerms,
  startMs,
} from '../../play.ts'

/** Late bids are those in the last minute; they extend by two minutes, up to ten minutes past the end. */
const terms = softCloseTerms()
const windowMs = 60_000
const extensionMs = 120_000
const latestMs = endMs + 600_000
const movedMs = endMs - 1 + extensionMs
/** A bid a millisecond before the end. */
const late = [bid(2, 100), endMs - 1] as const

const extendedBy = (extensionSeconds: number, overtimeMs: number) =>
  softCloseTerms({ softClose: { windowSeconds: 60, extensionSeconds, latestEndTime: isoOf(endMs + overtimeMs) } })

describe('a bid moves the end', () => {
  type Row = {
    readonly title: string
    readonly of?: typeof terms
    readonly steps: readonly Step[]
    readonly to?: number
  }
  test.each<Row>([
    { title: 'not before the window', steps: [[bid(2, 100), endMs - windowMs - 1]] },
    {
      title: 'from the start of the window',
      ...{ steps: [[bid(2, 100), endMs - windowMs]], to: endMs - windowMs + extensionMs },
    },
    { title: 'until the end', steps: [late], to: movedMs },
    {
      title: 'again, counted from the current end',
      ...{ steps: [late, [bid(3, 105), movedMs - 1]], to: movedMs - 1 + extensionMs },
    },
    {
      title: 'not if it only raises a maximum',
      steps: [
        [bid(2, 100, 200), startMs],
        [bid(2, 100, 300), endMs - 5],
      ],
    },
    { title: 'not if the new end is not later', of: extendedBy(10, 600_000), steps: [[bid(2, 100), endMs - 10_000]] },
    {
      title: 'if the new end is later',
      ...{ of: extendedBy(10, 600_000), steps: [[bid(2, 100), endMs - 9_999]], to: endMs + 1 },
    },
    { title: 'never past the latest end', of: extendedBy(120, 100_000), steps: [late], to: endMs + 100_000 },
  ])('$title', ({ of = terms, steps, to }) => {
    const state = after(of, ...steps)
    expect(state.extendedEndMs).toBe(to)
    expect(Object.hasOwn(state, 'extendedEndMs')).toBe(to !== undefined)
    expect(effectiveEndMs(of, state)).toBe(to ?? endMs)
  })

  test.each([
    { title: 'in the original window, after the end has moved', of: terms, atMs: endMs + 1 },
    { title: 'at the latest end', of: extendedBy(120, 100_000), atMs: endMs + 99_999 },
  ])('never $title, as its event shows', ({ of, atMs }) => {
    expect(eventOf(of, late)).toHaveProperty('extendedEndMs')
    expect(eventOf(of, late, [bid(3, 105), atMs])).not.toHaveProperty('extendedEndMs')
  })

  test('in its own entry, after an automatic bid', () => {
    const extendedEndMs = endMs - 5 + extensionMs
    expect(eventOf(terms, [bid(2, 100, 200), startMs], [bid(3, 120), endMs - 5])).toStrictEqual({
      type: 'bid-placed',
      bidderId: 3,
      amountMinor: 120,
      automatic: { bidderId: 2, amountMinor: 125 },
      extendedEndMs,
    })
    const reserved = softCloseTerms({ reservePriceMinor: 250 })
    expect(eventOf(reserved, [bid(2, 100, 200), startMs], [bid(2, 100, 300), endMs - 5])).toStrictEqual({
      type: 'maximum-raised',
      bidderId: 2,
      amountMinor: 100,
      maximumMinor: 300,
      automatic: { bidderId: 2, amountMinor: 250 },
      extendedEndMs,
    })
  })
})

describe('after the original end', () => {
  const onTime = [bid(2, 100), startMs] as const
  test.each<Rule>([
    {
      title: 'a bid is accepted until the extended end',
      ...{ terms, after: [late], command: bid(3, 105), clockMs: movedMs - 1, code: 'accepted' },
    },
    {
      title: 'no bid is accepted at the extended end',
      ...{ terms, after: [late], command: bid(3, 105), clockMs: movedMs, code: 'auction-ended' },
    },
    {
      title: 'the auction is not closed until the margin is over',
      ...{ terms, after: [late], command: close, clockMs: movedMs + marginMs - 1, code: 'not-due' },
    },
    {
      title: 'the auction is closed after the margin',
      ...{ terms, after: [late], command: close, clockMs: movedMs + marginMs, code: 'accepted' },
    },
  ])('$title', expectRule)

  test('a refusal contains the actual end, written as sent if no bid has moved it', () => {
    const endTime = { iso: isoOf(movedMs), epochMs: movedMs }
    const state = after(terms, late)
    expect(refusalOf(terms, state, bid(3, 105), movedMs)).toStrictEqual({ code: 'auction-ended', endTime })
    expect(refusalOf(terms, state, close, movedMs)).toStrictEqual({ code: 'not-due', endTime, changeCount: 0 })
    expect(refusalOf(terms, after(terms, onTime), bid(3, 105), movedMs)).toStrictEqual({
      code: 'auction-ended',
      endTime: terms.endTime,
    })
    expect(effectiveEnd(terms, state)).toStrictEqual(endTime)
    expect(effectiveEnd(terms, initialState)).toBe(terms.endTime)
  })

  test('the closed auction keeps its extended end', () => {
    expect(after(terms, late, [close, latestMs])).toStrictEqual({
      ...after(terms, late),
      phase: 'closed',
      atMs: latestMs,
      result: { outcome: 'sold', bidId: 10, winnerId: 2, priceMinor: 100 },
    })
  })
})
