import { describe, expect, test } from 'vitest'
import { decide } from '../../src/auction/decide.ts'
import { evolve } from '../../src/auction/state.ts'
import { toEntryId } from '../../src/values/ids.ts'
import { refused } from '../../src/values/result.ts'
import {
  after,
  bid,
  cancel,
  endMs,
  eventOf,
  expectRule,
  force,
  type Rule,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const cancellable = termsWith({ cancellableUntilEnd: true })
const led = [bid(2, 100)]
const cancelled = [[cancel('It broke.'), startMs + 5]] as const
/** The bid moves the end to two minutes after it. */
const overtime = [[bid(2, 100), endMs - 1]] as const
const overtimeEndMs = endMs - 1 + 120_000

describe('the owner', () => {
  const rules: readonly Omit<Rule, 'command'>[] = [
    { title: 'can cancel long before the start', clockMs: 0, code: 'accepted' },
    { title: 'can cancel a millisecond before the end', clockMs: endMs - 1, code: 'accepted' },
    { title: 'cannot cancel at the end', clockMs: endMs, code: 'auction-ended' },
    { title: 'cannot cancel after the first bid', after: led, code: 'auction-has-bids' },
    { title: 'receives the end as the reason before the bids', after: led, clockMs: endMs, code: 'auction-ended' },
    {
      title: 'can cancel with bids by the terms',
      ...{ terms: cancellable, after: led, clockMs: endMs - 1, code: 'accepted' },
    },
    {
      title: 'can cancel until the extended end',
      terms: softCloseTerms({ cancellableUntilEnd: true }),
      ...{ after: overtime, clockMs: overtimeEndMs - 1, code: 'accepted' },
    },
  ]
  test.each(rules)('$title', (rule) => {
    expectRule({ ...rule, command: cancel() })
  })
})

describe('staff with a reason', () => {
  test.each<Omit<Rule, 'command'>>([
    { title: 'can cancel with bids', after: led, clockMs: endMs - 1, code: 'accepted' },
    { title: 'cannot cancel at the end', after: led, clockMs: endMs, code: 'auction-ended' },
  ])('$title', (rule) => {
    expectRule({ ...rule, command: force })
  })

  test('leave a mark in the event, and none in the result', () => {
    expect(eventOf(terms, ...led, force)).toStrictEqual({ type: 'cancelled', reason: 'A fake.', isForced: true })
    expect(after(terms, ...led, force)).toMatchObject({ result: { outcome: 'cancelled', reason: 'A fake.' } })
  })
})

describe('the entry of a cancellation', () => {
  test.each([
    { title: 'with a reason', command: cancel('It broke.'), reason: { reason: 'It broke.' } },
    { title: 'without a reason', command: cancel(), reason: {} },
  ])('$title keeps the bids and the end', ({ command, reason }) => {
    const late = softCloseTerms({ cancellableUntilEnd: true })
    expect(eventOf(late, ...overtime, [command, endMs + 5])).toStrictEqual({ type: 'cancelled', ...reason })
    expect(after(late, ...overtime, [command, endMs + 5])).toStrictEqual({
      ...after(late, ...overtime),
      phase: 'closed',
      atMs: endMs + 5,
      result: { outcome: 'cancelled', ...reason },
    })
  })
})

test('a cancelled auction is returned when it is cancelled again, with an event for a key, which changes nothing', () => {
  const state = after(terms, ...cancelled)
  const event = { type: 'cancelled', reason: 'Again.' } as const
  for (const nowMs of [0, startMs, endMs, endMs + 1e9]) {
    const decision = decide(terms, state, cancel('Again.'), nowMs)
    expect(decision).toStrictEqual(refused({ code: 'already-cancelled', state, recordedForKey: event }))
    expect(evolve(state, { id: toEntryId(90), sequence: 2, atMs: nowMs, event })).toBe(state)
  }
})
