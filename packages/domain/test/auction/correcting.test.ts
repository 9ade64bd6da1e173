import { describe, expect, test } from 'vitest'
import type { Terms } from '../../src/auction/auction.ts'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import type { Role } from '../../src/auction/life-events.ts'
import { initialState } from '../../src/auction/state.ts'
import { isoOf, momentAt } from '../../src/values/moment.ts'
import {
  after,
  bid,
  buy,
  close,
  codeOf,
  correct,
  endMs,
  eventOf,
  expectRule,
  marginMs,
  type Rule,
  refusalOf,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const led = [bid(2, 100)]
const byStaff = { editor: 'staff', by: 'staff' }
const times = (count: number, by?: Role) => Array.from({ length: count }, () => correct(undefined, by))

describe('a correction', () => {
  test.each<Omit<Rule, 'command'>>([
    { title: 'is accepted before the start', clockMs: startMs - 1, code: 'accepted' },
    { title: 'is accepted a millisecond before the end', clockMs: endMs - 1, code: 'accepted' },
    { title: 'is refused at the end', clockMs: endMs, code: 'auction-ended' },
    { title: 'is refused after the first bid', after: led, code: 'auction-has-bids' },
    { title: 'is refused for the end before the bids', after: led, clockMs: endMs, code: 'auction-ended' },
    {
      title: 'is accepted for the 20th time after 20 by the owner',
      ...{ after: [...times(20, 'owner'), ...times(19)], code: 'accepted' },
    },
    { title: 'is refused for the 41st time', after: times(40), code: 'too-many-corrections' },
  ])('$title', (rule) => expectRule({ ...rule, command: correct() }))

  test.each<Omit<Rule, 'command'>>([
    { title: 'is accepted for the 20th time', after: times(19, 'owner'), code: 'accepted' },
    { title: 'is refused for the 21st time', after: times(20, 'owner'), code: 'too-many-corrections' },
  ])('by the owner $title', (rule) => expectRule({ ...rule, command: correct(undefined, 'owner') }))
})

describe('the entry of a correction', () => {
  test.each([
    { title: 'a title', texts: { title: 'Oak desk' } },
    { title: 'a description', texts: { description: 'Worn.' } },
    { title: 'both', texts: { title: 'Oak desk', description: '' } },
  ])('has $title and its editor', ({ texts }) => {
    expect(eventOf(terms, correct(texts))).toStrictEqual({ type: 'corrected', ...texts, ...byStaff })
  })

  test('changes the title and the time in the state, which does not contain the description', () => {
    const first = after(terms, [correct({ title: 'Oak desk', description: 'Worn.' }), startMs + 5])
    expect(first).toStrictEqual({
      phase: 'open',
      bidCount: 0,
      leader: null,
      atMs: startMs + 5,
      corrections: { count: 1, atMs: startMs + 5, title: 'Oak desk', descriptionIn: 10 },
    })
    const both = correct({ title: 'Oak desk', description: 'Worn.' })
    const second = after(terms, both, [correct({ title: null }), endMs - 1])
    expect(second.corrections).toStrictEqual({ count: 2, atMs: endMs - 1, title: null, descriptionIn: 10 })
    const third = after(terms, correct({ title: 'Oak' }), correct({ description: null }))
    expect(third.corrections).toMatchObject({ count: 2, title: 'Oak', descriptionIn: 20 })
  })
})

/** What a correction makes of the terms. */
const correctedTo = (fields: CorrectionJson, before: Terms = terms) => {
  const { corrections } = after(before, correct(fields))
  return corrections?.terms
}

describe('a correction of terms', () => {
  const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: isoOf(endMs + 5_000) }
  const { startingPriceMinor, minimumBidIncrementMinor, startTime, endTime } = terms
  const kept = { startingPriceMinor, minimumBidIncrementMinor, startTime, endTime }

  test.each([
    { fields: { endTime: isoOf(endMs - 9) }, changed: { endTime: momentAt(endMs - 9) } },
    { fields: { buyNowPrice: 500, reservePrice: 400 }, changed: { buyNowPriceMinor: 500, reservePriceMinor: 400 } },
    { fields: { cancellableUntilEnd: false }, changed: { cancellableUntilEnd: false } },
    { fields: { softClose }, changed: { softClose: { ...softClose, latestEndTime: momentAt(endMs + 5_000) } } },
    {
      fields: { incrementPercent: 2.5, maximumBidIncrement: 900 },
      changed: { incrementBasisPoints: 250, maximumBidIncrementMinor: 900 },
    },
    {
      fields: { incrementSteps: [{ fromPrice: 200, increment: 10 }] },
      changed: { incrementSteps: [{ fromPriceMinor: 200, incrementMinor: 10 }] },
    },
  ])('keeps what it does not name: $fields', ({ fields, changed }) => {
    expect(correctedTo(fields)).toStrictEqual({ ...kept, ...changed })
    const event = eventOf(terms, correct(fields))
    expect(event).toStrictEqual({
      type: 'corrected',
      terms: { fields: expect.arrayContaining(Object.keys(fields)), result: { ...kept, ...changed } },
      ...byStaff,
    })
  })

  test('removes what is null, and follows earlier corrections', () => {
    const full = softCloseTerms({ reservePriceMinor: 150, buyNowPriceMinor: 500, incrementBasisPoints: 100 })
    const none = { softClose: null, reservePrice: null, buyNowPrice: null, incrementPercent: null }
    expect(correctedTo(none, full)).toStrictEqual(kept)
    const twice = after(full, correct(none), correct({ reservePrice: 120 }))
    expect(twice.corrections).toMatchObject({ count: 2, terms: { ...kept, reservePriceMinor: 120 } })
    expect(twice.corrections?.terms).not.toHaveProperty('buyNowPriceMinor')
  })

  const stepped = termsWith({ bidSteps: [{ fromPriceMinor: 100, amountsMinor: [20] }], onlySteps: true })
  const secret = termsWith({ reservePriceMinor: 150, buyNowPriceMinor: 500 })
  test.each<{ readonly fields: CorrectionJson; readonly of?: Terms; readonly at: readonly string[] }>([
    { fields: { startingPrice: 151 }, of: secret, at: ['/reservePrice'] },
    { fields: { startingPrice: 500, reservePrice: 500 }, of: secret, at: ['/buyNowPrice'] },
    { fields: { reservePrice: 99 }, at: ['/reservePrice'] },
    { fields: { buyNowPrice: 100 }, at: ['/buyNowPrice'] },
    { fields: { startingPrice: 1.5, minimumBidIncrement: 0.5 }, at: ['/startingPrice', '/minimumBidIncrement'] },
    { fields: { endTime: isoOf(startMs) }, at: ['/endTime'] },
    { fields: { startTime: isoOf(startMs - 5) }, at: ['/startTime'] },
    { fields: { startTime: isoOf(endMs) }, at: ['/endTime', '/startTime'] },
    { fields: { endTime: isoOf(endMs + 600_000) }, of: softCloseTerms(), at: ['/softClose/latestEndTime'] },
    { fields: { incrementSteps: [{ fromPrice: 1, increment: 4 }] }, at: ['/incrementSteps/0/increment'] },
    { fields: { maximumBidIncrement: 4 }, at: ['/maximumBidIncrement'] },
    { fields: { minimumBidIncrement: null }, of: stepped, at: ['/minimumBidIncrement'] },
  ])('must leave a valid auction: $fields', ({ fields, of = terms, at }) => {
    const refusal = refusalOf(of, initialState, correct(fields))
    expect(refusal?.code === 'validation-failed' && refusal.errors.map(({ pointer }) => pointer)).toEqual(at)
  })

  test('may move an end that is in the past of the start, if it moves the start as well', () => {
    const times = { startTime: isoOf(startMs - 20), endTime: isoOf(startMs - 10) }
    expect(codeOf(terms, initialState, correct({ endTime: times.endTime }), startMs - 30)).toBe('validation-failed')
    expect(codeOf(terms, initialState, correct(times), startMs - 30)).toBe('accepted')
    expect(codeOf(terms, initialState, correct(times), startMs - 10)).toBe('validation-failed')
  })

  test('does not name the reserve in an error', () => {
    for (const reservePriceMinor of [777, 7_777]) {
      const refusal = refusalOf(termsWith({ reservePriceMinor }), initialState, correct({ startingPrice: 9_999 }))
      expect(JSON.stringify(refusal)).not.toContain('777')
    }
  })
})

describe('the rules after a correction of terms', () => {
  test.each<Rule>([
    {
      title: 'accept a bid at the lower price',
      ...{ after: [correct({ startingPrice: 50 })], command: bid(2, 50), code: 'accepted' },
    },
    {
      title: 'refuse a bid below the higher price',
      ...{ after: [correct({ startingPrice: 120 })], command: bid(2, 119), code: 'bid-too-low' },
    },
    {
      title: 'end at the earlier end',
      ...{ after: [correct({ endTime: isoOf(startMs + 9) })], command: bid(2, 100), clockMs: startMs + 9 },
      code: 'auction-ended',
    },
    {
      title: 'close after the earlier end',
      ...{ after: [correct({ endTime: isoOf(startMs + 9) })], command: close, clockMs: startMs + 9 + marginMs },
      code: 'accepted',
    },
    {
      title: 'do not end before the later end',
      ...{ after: [correct({ endTime: isoOf(endMs + 9) })], command: bid(2, 100), clockMs: endMs + 8 },
      code: 'accepted',
    },
    {
      title: 'offer nothing that was removed',
      ...{ terms: termsWith({ buyNowPriceMinor: 300 }), after: [correct({ buyNowPrice: null })], command: buy(2) },
      code: 'buy-now-not-offered',
    },
    {
      title: 'refuse another correction of the start after it',
      after: [[correct({ startTime: isoOf(startMs - 5) }), startMs - 9]],
      ...{ command: correct({ startTime: isoOf(startMs) }), clockMs: startMs - 5, code: 'validation-failed' },
    },
  ])('$title', expectRule)

  test('meet the corrected reserve, and keep the corrections in every later state', () => {
    const steps = [correct({ reservePrice: 200 }), bid(2, 100, 300)] as const
    const state = after(terms, ...steps)
    expect(state.leader?.amountMinor).toBe(200)
    expect(state.corrections).toStrictEqual(after(terms, steps[0]).corrections)
  })
})

describe('a correction of metadata', () => {
  const of = termsWith({ metadata: { color: 'blue', size: '7' } })
  test.each([
    { patch: { color: null }, result: { size: '7' } },
    { patch: { color: 'red', lot: '' }, result: { color: 'red', size: '7', lot: '' } },
    { patch: { color: null, size: null, other: null }, result: null },
    { patch: {}, result: { color: 'blue', size: '7' } },
    { patch: null, result: null },
  ])('merges its members: $patch', ({ patch, result }) => {
    const command = correct({ metadata: patch })
    expect(eventOf(of, command)).toStrictEqual({ type: 'corrected', metadata: { patch, result }, ...byStaff })
    expect(after(of, command).corrections).toMatchObject({ metadata: result })
    expect(after(of, command, correct({ metadata: { lot: '1' } })).corrections?.metadata).toEqual({
      ...result,
      lot: '1',
    })
  })

  test('may not make it too large, and counts what it removes', () => {
    const members = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${from + index}`, 'x']))
    const full = termsWith({ metadata: members(0, 20) })
    expect(refusalOf(full, initialState, correct({ metadata: members(20, 1) }))).toStrictEqual({
      code: 'validation-failed',
      errors: [{ pointer: '/metadata', message: 'must have at most 20 members' }],
      moreErrors: 0,
    })
    expect(codeOf(full, initialState, correct({ metadata: { ...members(20, 1), 0: null } }))).toBe('accepted')
  })
})
