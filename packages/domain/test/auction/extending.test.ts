import { sampleRepair } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { isResultOf } from '../../src/auction/recorded-command.ts'
import type { ExtendCommand } from '../../src/auction/repair.ts'
import { termsIn } from '../../src/auction/state.ts'
import {
  after,
  bid,
  close,
  correct,
  endAuction,
  endMs,
  eventOf,
  expectRule,
  extend,
  marginMs,
  type Rule,
  refusalOf,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const soft = softCloseTerms()
const latestMs = endMs + 600_000
const dayMs = 24 * 60 * 60 * 1000
const later = extend(endMs + 1000)
const extendBy = (byMs: number, reason = 'Outage.'): ExtendCommand => ({
  ...{ type: 'extend', byMs, reason, editor: 'staff' },
})
const times = (count: number) => Array.from({ length: count }, (_, index) => extend(endMs + 1 + index))

describe('an extension', () => {
  test.each<Rule>([
    { title: 'is accepted before the start', command: later, clockMs: startMs - 1, code: 'accepted' },
    { title: 'is accepted after the end', command: later, clockMs: endMs + 999, code: 'accepted' },
    {
      title: 'is refused for a time that has passed',
      ...{ command: later, clockMs: endMs + 1000, code: 'validation-failed' },
    },
    { title: 'is refused for the current end', command: extend(endMs), code: 'validation-failed' },
    { title: 'is accepted for 30 days', command: extend(endMs + 30 * dayMs), code: 'accepted' },
    { title: 'is refused for more', command: extend(endMs + 30 * dayMs + 1), code: 'validation-failed' },
    {
      title: 'is accepted for 30 days after an extension',
      ...{ after: [extend(endMs + 30 * dayMs)], command: extend(endMs + 60 * dayMs), code: 'accepted' },
    },
    { title: 'is accepted after bids', after: [bid(2, 100)], command: later, code: 'accepted' },
    { title: 'is accepted after an early end', after: [endAuction], command: extend(startMs + 2), code: 'accepted' },
    { title: 'is accepted for the 50th time', after: times(49), command: later, code: 'accepted' },
    { title: 'is refused for the 51st time', after: times(50), command: later, code: 'too-many-repairs' },
  ])('$title', expectRule)

  test('names the current end, and the latest one that is possible', () => {
    expect(refusalOf(terms, after(terms, extend(endMs + 1)), extend(endMs))).toMatchObject({
      errors: [
        {
          pointer: '/endTime',
          message:
            'must be after 2030-02-07T12:00:00.001Z, the current end, and no later than 2030-03-09T12:00:00.001Z, 30 days after it',
        },
      ],
    })
  })

  test.each<Rule>([
    { title: 'is accepted after the end', command: extendBy(1000), clockMs: endMs + 999, code: 'accepted' },
    {
      title: 'is refused up to a time that has passed',
      ...{ command: extendBy(1000), clockMs: endMs + 1000, code: 'validation-failed' },
    },
    { title: 'is refused without time', command: extendBy(0), code: 'validation-failed' },
    { title: 'is accepted for 30 days', command: extendBy(30 * dayMs), code: 'accepted' },
    { title: 'is refused for more', command: extendBy(30 * dayMs + 1), code: 'validation-failed' },
    {
      title: 'is refused after the year 9999',
      ...{ terms: termsWith({ endTime: '9999-12-31T23:59:59.999Z' }), command: extendBy(1) },
      code: 'validation-failed',
    },
  ])('by a time $title', expectRule)

  test('by a time counts from the end to which bids and repairs moved it', () => {
    const { type, ...ends } = { type: 'extended', previousEndMs: endMs + 1000, endMs: endMs + 1500 }
    expect(eventOf(terms, later, extendBy(500))).toMatchObject({ type, ...ends, reason: 'Outage.', editor: 'staff' })
    const bidEndMs = endMs - 1 + 120_000
    const extended = eventOf(soft, [bid(2, 100), endMs - 1], extendBy(500))
    expect(extended).toMatchObject({ type, previousEndMs: bidEndMs, endMs: bidEndMs + 500 })
  })

  test('by a time names the current end, and the latest one that is possible', () => {
    const messageAt = (byMs: number, nowMs: number) => refusalOf(terms, after(terms), extendBy(byMs), nowMs)
    expect(messageAt(0, startMs)).toMatchObject({
      errors: [
        {
          pointer: '/seconds',
          message:
            'must move the end, which is 2030-02-07T12:00:00.000Z, to a later one, up to 2030-03-09T12:00:00.000Z',
        },
      ],
    })
    expect(messageAt(1, endMs + 1)).toMatchObject({
      errors: [
        {
          pointer: '/seconds',
          message:
            'must move the end, which is 2030-02-07T12:00:00.000Z, into the future; the current time is 2030-02-07T12:00:00.001Z',
        },
      ],
    })
  })

  test('by a time is the same request as an entry with that time and reason', () => {
    const entry = sampleRepair() // By an hour.
    expect(isResultOf(entry, extendBy(3_600_000))).toBe(true)
    expect(isResultOf(entry, extendBy(3_600_001))).toBe(false)
    expect(isResultOf(entry, extendBy(3_600_000, 'Fire.'))).toBe(false)
    expect(isResultOf(entry, extend(endMs + 3_600_000))).toBe(true)
    const early = { type: 'ended-early', endMs, previousEndMs: endMs - 1, reason: 'Outage.', editor: 'staff' } as const
    expect(isResultOf(sampleRepair({}, early), extendBy(1))).toBe(false)
  })

  test('keeps both ends, and is one of the repairs', () => {
    const event = {
      type: 'extended',
      endMs: endMs + 9,
      previousEndMs: endMs + 1000,
      reason: 'Outage.',
      editor: 'staff',
    }
    expect(eventOf(terms, later, endAuction, [extend(endMs + 9), startMs])).toMatchObject({
      previousEndMs: startMs + 1,
    })
    expect(eventOf(terms, extend(endMs + 1000), extend(endMs + 2000))).toStrictEqual({ ...event, endMs: endMs + 2000 })
    expect(after(terms, later).repairs).toStrictEqual({ entryIds: [10], latestEndShiftMs: 1000 })
  })

  test.each<Rule>([
    { title: 'accepts bids until the new end', command: bid(2, 100), clockMs: endMs + 999, code: 'accepted' },
    { title: 'accepts no bid at the new end', command: bid(2, 100), clockMs: endMs + 1000, code: 'auction-ended' },
    { title: 'delays the close', command: close, clockMs: endMs + 999 + marginMs, code: 'not-due' },
    { title: 'leads to a close', command: close, clockMs: endMs + 1000 + marginMs, code: 'accepted' },
    { title: 'leaves texts to be corrected', command: correct(), code: 'accepted' },
    { title: 'keeps the terms', command: correct({ startingPrice: 1 }), code: 'auction-repaired' },
  ])('$title', (rule) => expectRule({ ...rule, after: [later] }))

  test('moves the latest end of a soft close as much, in both directions', () => {
    const latestAfter = (...steps: Parameters<typeof after> extends [unknown, ...infer Steps] ? Steps : never) =>
      termsIn(soft, after(soft, ...steps)).softClose?.latestEndTime.epochMs
    expect(latestAfter(later)).toBe(latestMs + 1000)
    expect(latestAfter(later, extend(endMs + 3000))).toBe(latestMs + 3000)
    // A bid has moved the end before, so the extension is shorter.
    expect(latestAfter([bid(2, 100), endMs - 1], extend(endMs + 120_000))).toBe(latestMs + 1)
    expect(latestAfter(endAuction, extend(endMs + 7))).toBe(latestMs + 7)
  })

  test('lets bids extend again', () => {
    const state = after(soft, later, [bid(2, 100), endMs + 999])
    expect(state.extendedEndMs).toBe(endMs + 999 + 120_000)
  })
})
