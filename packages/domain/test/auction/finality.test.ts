import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Terms } from '../../src/auction/auction.ts'
import type { Command } from '../../src/auction/commands.ts'
import { decide, isFinal, ledgerTimeMs } from '../../src/auction/decide.ts'
import { type AuctionState, initialState } from '../../src/auction/state.ts'
import { anyClockMs, anyCommand, anySteps, anyTerms } from './any-history.ts'
import {
  after,
  bid,
  buy,
  cancel,
  close,
  codeOf,
  correct,
  endMs,
  marginMs,
  owner,
  play,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const plain = termsWith()
const late = softCloseTerms()
const latestMs = late.softClose?.latestEndTime.epochMs ?? endMs
const offered = termsWith({ buyNowPriceMinor: 500 })
const led = after(plain, bid(2, 100, 200))
const cancelled = after(plain, cancel())
const closed = after(plain, [close, endMs + marginMs])
const corrected = after(plain, ...Array.from({ length: 20 }, () => correct()))

describe('a refusal is final', () => {
  test.each<readonly [string, Terms, AuctionState, Command, number, string, boolean]>([
    ['for a fraction of a yen', plain, led, bid(3, 1.5), startMs, 'inexact-amount', true],
    ['for a maximum below the amount', plain, led, bid(3, 200, 199), startMs, 'maximum-below-amount', true],
    ['before the start', plain, initialState, bid(2, 100), startMs - 1, 'auction-not-started', true],
    ['for a purchase before the start', offered, initialState, buy(2), startMs - 1, 'auction-not-started', true],
    ['for a bid of the owner', plain, initialState, bid(owner, 100), startMs, 'owner-cannot-bid', true],
    ['for a purchase by the owner', offered, initialState, buy(owner), startMs, 'owner-cannot-buy', true],
    ['for a cancellation by another user', plain, initialState, cancel(2), startMs, 'not-the-owner', true],
    ['after the end', plain, led, bid(3, 200), endMs, 'auction-ended', true],
    ['for a purchase after the end, if none was offered', plain, initialState, buy(3), endMs, 'auction-ended', true],
    ['not if bids may have moved the end', late, initialState, bid(3, 200), endMs, 'auction-ended', false],
    [
      'not after the latest end, since it contains the actual end',
      late,
      led,
      bid(3, 200),
      latestMs,
      'auction-ended',
      false,
    ],
    ['not if a purchase may have ended the auction', offered, led, bid(3, 200), endMs, 'auction-ended', false],
    [
      'not for an auction that was bought',
      offered,
      after(offered, buy(3)),
      bid(2, 100),
      endMs - 1,
      'auction-ended',
      false,
    ],
    ['not for a cancellation, which may already be recorded', plain, led, cancel(), endMs, 'auction-ended', false],
    ['for a close before the original end', late, initialState, close, endMs + marginMs - 1, 'not-due', true],
    [
      'not for a close after the original end, which bids may have moved by less',
      late,
      after(late, [bid(2, 100), endMs - 1]),
      close,
      endMs + marginMs,
      'not-due',
      false,
    ],
    [
      'not for a bid that is too low, since the bid before may never be stored',
      plain,
      led,
      bid(3, 104),
      startMs,
      'bid-too-low',
      false,
    ],
    ['not for a maximum that is not raised', plain, led, bid(2, 100, 200), startMs, 'maximum-not-raised', false],
    ['not for a bid above an offer', offered, initialState, bid(3, 500), startMs, 'buy-now-is-lower', false],
    ['not for a purchase', plain, led, buy(3), startMs, 'buy-now-not-offered', false],
    ['not for a bid on a cancelled auction', plain, cancelled, bid(2, 100), startMs, 'auction-cancelled', false],
    ['not for a repeated cancellation', plain, cancelled, cancel(), startMs, 'already-cancelled', false],
    ['not for a cancellation refused due to bids', plain, led, cancel(), startMs, 'auction-has-bids', false],
    ['not for a correction refused due to bids', plain, led, correct(), startMs, 'auction-has-bids', false],
    ['not for a correction of a cancelled auction', plain, cancelled, correct(), startMs, 'auction-cancelled', false],
    ['for a correction after the end', plain, initialState, correct(), endMs, 'auction-ended', true],
    ['not for one correction too many', plain, corrected, correct(), startMs, 'too-many-corrections', false],
    [
      'after another process, whose clock is ahead, has closed the auction',
      plain,
      closed,
      bid(2, 100),
      endMs - 1,
      'auction-ended',
      true,
    ],
    ['not for a repeated close', plain, closed, close, endMs + marginMs, 'already-closed', false],
  ])('%s', (_, terms, state, command, clockMs, code, expected) => {
    const decision = decide(terms, state, command, clockMs)
    if (decision.ok) throw new Error('it was accepted')
    expect(decision.refusal.code).toBe(code)
    expect(isFinal(terms, decision.refusal, command, ledgerTimeMs(state, clockMs))).toBe(expected)
  })
})

describe('a final refusal', () => {
  const codeIn = (decision: ReturnType<typeof decide>) => (decision.ok ? 'accepted' : decision.refusal.code)

  test('holds for every possible state at that time, whatever else is recorded', () => {
    fc.assert(
      fc.property(anyTerms, anySteps, anyCommand, anyClockMs, (terms, steps, command, clockMs) => {
        const states = [initialState, ...play(terms, ...steps).map(({ state }) => state)]
        const nowMs = clockMs
        for (const [index, state] of states.entries()) {
          const decision = decide(terms, state, command, nowMs)
          if (decision.ok || !isFinal(terms, decision.refusal, command, ledgerTimeMs(state, nowMs))) continue
          for (const later of states.slice(index)) {
            if (later.atMs > ledgerTimeMs(state, nowMs)) break // The auction may have started by a later time.
            const again = decide(terms, later, command, nowMs)
            expect(again.ok).toBe(false)
            if (later.phase === 'open') expect(codeIn(again)).toBe(codeIn(decision))
            // An auction that is already cancelled counts as success, so a command with that result must have no final refusal.
            if (!again.ok) expect([again.refusal.code, decision.refusal.code]).not.toContain('already-cancelled')
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('is the only kind that is returned without reading the head: for the others, another state accepts the command', () => {
    expect(codeOf(late, initialState, bid(3, 200), endMs)).toBe('auction-ended')
    expect(codeOf(late, after(late, [bid(2, 100), endMs - 1]), bid(3, 200), endMs)).toBe('accepted')
    expect(codeOf(plain, led, bid(3, 104), startMs)).toBe('bid-too-low')
    expect(codeOf(plain, initialState, bid(3, 104), startMs)).toBe('accepted')
    expect(codeOf(offered, initialState, bid(3, 500), startMs)).toBe('buy-now-is-lower')
    expect(codeOf(offered, after(offered, bid(2, 100)), bid(3, 500), startMs)).toBe('accepted')
    expect(codeOf(plain, led, bid(2, 100, 200), startMs)).toBe('maximum-not-raised')
    expect(codeOf(plain, after(plain, bid(2, 100)), bid(2, 100, 200), startMs)).toBe('accepted')
  })
})
