import { describe, expect, test } from 'vitest'
import { decide } from '../../src/auction/decide.ts'
import { evolve, initialState } from '../../src/auction/state.ts'
import { toBidId } from '../../src/values/ids.ts'
import {
  after,
  bid,
  buy,
  cancel,
  close,
  endMs,
  eventOf,
  expectRule,
  force,
  marginMs,
  owner,
  type Rule,
  refusalOf,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const cancellable = termsWith({ cancellableUntilEnd: true })
const offered = termsWith({ buyNowPriceMinor: 500, cancellableUntilEnd: true })
const other = 7
const led = [bid(2, 100)]
const cancelled = [[cancel(owner, 'It broke.'), startMs + 5]] as const
/** The bid moves the end to two minutes after it. */
const overtime = [[bid(2, 100), endMs - 1]] as const
const overtimeEndMs = endMs - 1 + 120_000

describe('the owner, or a program without a requester,', () => {
  const rules: readonly Omit<Rule, 'command'>[] = [
    { title: 'can cancel long before the start', clockMs: 0, code: 'accepted' },
    { title: 'can cancel without a bid', code: 'accepted' },
    { title: 'can cancel a millisecond before the end', clockMs: endMs - 1, code: 'accepted' },
    { title: 'cannot cancel at the end', clockMs: endMs, code: 'auction-ended' },
    { title: 'cannot cancel long after the end', clockMs: endMs + 1e9, code: 'auction-ended' },
    { title: 'cannot cancel after the first bid', after: led, code: 'auction-has-bids' },
    { title: 'receives the end as the reason before the bids', after: led, clockMs: endMs, code: 'auction-ended' },
    {
      title: 'cannot cancel with bids if the terms say no',
      terms: termsWith({ cancellableUntilEnd: false }),
      ...{ after: led, code: 'auction-has-bids' },
    },
    {
      title: 'can cancel with bids by the terms',
      terms: cancellable,
      after: led,
      clockMs: endMs - 1,
      code: 'accepted',
    },
    {
      title: 'cannot cancel at the end by the terms',
      terms: cancellable,
      after: led,
      clockMs: endMs,
      code: 'auction-ended',
    },
    {
      title: 'can cancel until the extended end',
      terms: softCloseTerms({ cancellableUntilEnd: true }),
      ...{ after: overtime, clockMs: overtimeEndMs - 1, code: 'accepted' },
    },
    {
      title: 'cannot cancel at the extended end',
      terms: softCloseTerms({ cancellableUntilEnd: true }),
      ...{ after: overtime, clockMs: overtimeEndMs, code: 'auction-ended' },
    },
    {
      title: 'cannot cancel what is closed, by a clock that is behind',
      terms: cancellable,
      ...{ after: [...led, [close, endMs + marginMs]], clockMs: startMs, code: 'auction-ended' },
    },
    { title: 'cannot cancel what was bought', terms: offered, after: [buy(3)], code: 'auction-ended' },
    { title: 'cannot cancel again', after: cancelled, code: 'already-cancelled' },
    { title: 'cannot cancel again after the end', after: cancelled, clockMs: endMs + 1e9, code: 'already-cancelled' },
  ]
  test.each(rules)('$title', (rule) => {
    for (const requester of [undefined, owner]) expectRule({ ...rule, command: cancel(requester) })
  })
})

describe('another user receives no other refusal', () => {
  test.each<Omit<Rule, 'code'>>([
    { title: 'before the start', command: cancel(other), clockMs: 0 },
    { title: 'after the start', command: cancel(other) },
    { title: 'after the end', command: cancel(other), clockMs: endMs },
    { title: 'with bids', after: led, command: cancel(other) },
    { title: 'if it is cancelled', after: cancelled, command: cancel(other) },
    {
      title: 'if it is cancelled, and the command must be recorded',
      after: cancelled,
      command: { ...cancel(other), mustBeRecorded: true },
    },
  ])('$title', (rule) => expectRule({ ...rule, code: 'not-the-owner' }))
})

describe('staff with a reason', () => {
  test.each<Omit<Rule, 'command'>>([
    { title: 'can cancel before the start', clockMs: 0, code: 'accepted' },
    { title: 'can cancel with bids', after: led, clockMs: endMs - 1, code: 'accepted' },
    { title: 'cannot cancel at the end', after: led, clockMs: endMs, code: 'auction-ended' },
    { title: 'cannot cancel what was bought', terms: offered, after: [buy(3)], code: 'auction-ended' },
    { title: 'cannot cancel what is cancelled', after: cancelled, code: 'already-cancelled' },
  ])('$title', (rule) => {
    for (const requester of [undefined, owner, other]) expectRule({ ...rule, command: force(requester) })
  })

  test('leave a mark in the event, and none in the result', () => {
    expect(eventOf(terms, ...led, force(other))).toStrictEqual({ type: 'cancelled', reason: 'A fake.', isForced: true })
    expect(after(terms, ...led, force(other))).toMatchObject({ result: { outcome: 'cancelled', reason: 'A fake.' } })
  })

  test('receive without a reason the refusal of any other caller, which asks for a reason', () => {
    const withoutReason = (requester?: number) => ({ ...cancel(requester), mayForce: true })
    const state = after(terms, ...led)
    expect(refusalOf(terms, initialState, withoutReason(other))).toStrictEqual({
      code: 'not-the-owner',
      prevents: 'cancellation',
      needsReason: true,
    })
    const hasBids = { code: 'auction-has-bids', prevents: 'cancellation' }
    expect(refusalOf(terms, state, withoutReason())).toStrictEqual({ ...hasBids, needsReason: true })
    expect(refusalOf(terms, initialState, withoutReason(owner))).toBeUndefined()
    expect(refusalOf(terms, state, { ...cancel(owner, 'Lost.'), mayForce: false })).toStrictEqual(hasBids)
  })
})

describe('the entry of a cancellation', () => {
  test.each([
    { title: 'with a reason', command: cancel(owner, 'It broke.'), reason: { reason: 'It broke.' } },
    { title: 'with an empty reason', command: cancel(owner, ''), reason: { reason: '' } },
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

describe('a cancelled auction', () => {
  const state = after(terms, ...cancelled)

  test('is returned when it is cancelled again', () => {
    expect(refusalOf(terms, state, cancel(owner, 'Again.'))).toStrictEqual({ code: 'already-cancelled', state })
  })

  test('can be cancelled again with a key, which is recorded and changes nothing', () => {
    const event = { type: 'cancelled', reason: 'Again.' } as const
    for (const nowMs of [0, startMs, endMs, endMs + 1e9]) {
      const again = { ...cancel(owner, 'Again.'), mustBeRecorded: true } as const
      expect(decide(terms, state, again, nowMs)).toStrictEqual({ ok: true, value: event })
      expect(evolve(state, { id: toBidId(90), sequence: 2, atMs: nowMs, event })).toBe(state)
    }
  })

  test.each([
    { title: 'a bid', command: bid(2, 100) },
    { title: 'a bid of the owner', command: bid(owner, 100) },
    { title: 'a bid that is too low', command: bid(2, 1) },
    { title: 'a purchase', command: buy(2) },
    { title: 'a purchase by the owner', command: buy(owner) },
  ])('refuses $title as cancelled, before the start and after the end, too', ({ command }) => {
    for (const clockMs of [0, startMs, endMs + 1e9]) {
      expect(refusalOf(terms, state, command, clockMs)).toStrictEqual({ code: 'auction-cancelled' })
      expect(refusalOf(terms, after(terms, [cancel(), 5]), command, clockMs)?.code).toBe('auction-cancelled')
    }
  })

  test('is not closed afterwards', () => {
    expect(refusalOf(terms, state, close, endMs + marginMs)?.code).toBe('already-closed')
  })
})

describe('a cancellation with a key is refused', () => {
  const command = { ...cancel(owner), mustBeRecorded: true } as const
  test.each<Rule>([
    { title: 'after a purchase', terms: offered, after: [buy(3)], command, code: 'auction-ended' },
    { title: 'after the end', terms: offered, after: [[close, endMs + marginMs]], command, code: 'auction-ended' },
    { title: 'after a bid', after: led, command, code: 'auction-has-bids' },
  ])('$title', expectRule)
})
