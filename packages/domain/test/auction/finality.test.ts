import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { decide, isFinal, ledgerTimeMs } from '../../src/auction/decide.ts'
import { initialState } from '../../src/auction/state.ts'
import { isoOf } from '../../src/values/moment.ts'
import { anyClockMs, anyCommand, anySteps, anyTerms } from './any-history.ts'
import {
  after,
  bid,
  buy,
  close,
  codeOf,
  correct,
  endMs,
  extend,
  marginMs,
  owner,
  play,
  type Rule,
  refusalOf,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const plain = termsWith()
const soft = softCloseTerms()
const offered = termsWith({ buyNowPriceMinor: 500 })
const led = [bid(2, 100, 200)]
const late = [[bid(2, 100), endMs - 1]] as const

function expectFinality({ terms = plain, after: steps = [], command, code, ...row }: Rule, isExpected: boolean): void {
  const state = after(terms, ...steps)
  const { clockMs = Math.max(startMs, state.atMs) } = row
  const refusal = refusalOf(terms, state, command, clockMs)
  if (refusal === undefined) throw new Error('it was accepted')
  expect(refusal.code).toBe(code)
  expect(isFinal(refusal, command)).toBe(isExpected)
}

describe('a refusal is final', () => {
  test.each<Rule>([
    { title: 'for a fraction of a yen', command: bid(3, 1.5), code: 'validation-failed' },
    { title: 'for a maximum below the amount', command: bid(3, 200, 199), code: 'validation-failed' },
    { title: 'for a bid of the owner', command: bid(owner, 100), code: 'owner-cannot-bid' },
    { title: 'for a purchase by the owner', terms: offered, command: buy(owner), code: 'owner-cannot-buy' },
  ])('$title', (rule) => expectFinality(rule, true))
})

describe('a refusal is not final', () => {
  const ended = { clockMs: endMs, code: 'auction-ended' }
  test.each<Rule>([
    {
      title: 'before the start, which may have been corrected',
      ...{ command: bid(2, 100), clockMs: startMs - 1, code: 'auction-not-started' },
    },
    { title: 'for a bid after the end, which staff may have moved', after: led, command: bid(3, 200), ...ended },
    { title: 'for an invalid correction', command: correct({ minimumBidIncrement: 0.5 }), code: 'validation-failed' },
    {
      title: 'if the auction was bought',
      ...{ terms: offered, after: [buy(3)], command: bid(2, 100), code: 'auction-ended' },
    },
    {
      title: 'for a close after the original end, which bids may have moved by less',
      ...{ terms: soft, after: late, command: close, clockMs: endMs + marginMs, code: 'not-due' },
    },
    {
      title: 'for a bid that is too low, since the bid before may never be stored',
      ...{ after: led, command: bid(3, 104), code: 'bid-too-low' },
    },
    { title: 'for a maximum that is not raised', after: led, command: bid(2, 100, 200), code: 'maximum-not-raised' },
    { title: 'for a bid above an offer', terms: offered, command: bid(3, 500), code: 'buy-now-is-lower' },
  ])('$title', (rule) => expectFinality(rule, false))

  test.each<Rule & { readonly other: Rule['after'] }>([
    {
      title: 'the corrected end',
      ...{
        other: [correct({ endTime: isoOf(endMs + 5) })],
        command: bid(3, 200),
        clockMs: endMs,
        code: 'auction-ended',
      },
    },
    {
      title: 'the extended end',
      ...{ other: [extend(endMs + 5)], command: bid(3, 200), clockMs: endMs, code: 'auction-ended' },
    },
    {
      title: 'the corrected start',
      other: [[correct({ startTime: isoOf(startMs - 5) }), startMs - 9]],
      ...{ command: bid(3, 200), clockMs: startMs - 1, code: 'auction-not-started' },
    },
    { title: 'the end', terms: soft, other: late, command: bid(3, 200), clockMs: endMs, code: 'auction-ended' },
    { title: 'the maximum', after: led, other: [bid(2, 100)], command: bid(2, 100, 200), code: 'maximum-not-raised' },
  ])('since another state accepts the command: $title', ({ terms = plain, after: steps = [], other = [], ...row }) => {
    const { command, clockMs, code } = row
    expect(codeOf(terms, after(terms, ...steps), command, clockMs)).toBe(code)
    expect(codeOf(terms, after(terms, ...other), command, clockMs)).toBe('accepted')
  })
})

test('a final refusal holds for every possible state at that time, whatever else is recorded', () => {
  fc.assert(
    fc.property(anyTerms, anySteps, anyCommand, anyClockMs, (terms, steps, command, nowMs) => {
      const states = [initialState, ...play(terms, ...steps).map(({ state }) => state)]
      for (const [index, state] of states.entries()) {
        const atMs = ledgerTimeMs(terms, state, command, nowMs)
        const decision = decide(terms, state, command, atMs)
        if (decision.ok || !isFinal(decision.refusal, command)) continue
        for (const later of states.slice(index)) {
          if (later.atMs > atMs) break // The auction may have started by a later time.
          const again = decide(terms, later, command, ledgerTimeMs(terms, later, command, nowMs))
          expect(again.ok).toBe(false)
          if (again.ok) continue
          // Staff may have ended it early.
          if (later.phase === 'open') expect([decision.refusal.code, 'auction-ended']).toContain(again.refusal.code)
          // An auction that is already cancelled counts as success, so a command with that result must have no final
          // refusal.
          expect([again.refusal.code, decision.refusal.code]).not.toContain('already-cancelled')
        }
      }
    }),
    { numRuns: isLong ? 2_000 : 400 },
  )
})
