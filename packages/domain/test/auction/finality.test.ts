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

describe('a refusal is final', () => {
  test.each<readonly [string, Terms, AuctionState, Command, number, string, boolean]>([
    ['of parts of a yen', plain, led, bid(3, 1.5), startMs, 'inexact-amount', true],
    ['of a maximum below the amount', plain, led, bid(3, 200, 199), startMs, 'maximum-below-amount', true],
    ['before the start', plain, initialState, bid(2, 100), startMs - 1, 'auction-not-started', true],
    ['of a purchase before the start', offered, initialState, buy(2), startMs - 1, 'auction-not-started', true],
    ['of the owner, who bids', plain, initialState, bid(owner, 100), startMs, 'owner-cannot-bid', true],
    ['of the owner, who buys', offered, initialState, buy(owner), startMs, 'owner-cannot-buy', true],
    ['of somebody who is not the owner', plain, initialState, cancel(2), startMs, 'not-the-owner', true],
    ['after the end', plain, led, bid(3, 200), endMs, 'auction-ended', true],
    [
      'of a purchase after the end, where there never was an offer',
      plain,
      initialState,
      buy(3),
      endMs,
      'auction-ended',
      true,
    ],
    ['not where bids may have moved the end', late, initialState, bid(3, 200), endMs, 'auction-ended', false],
    ['not past the latest end: when it was is to be told', late, led, bid(3, 200), latestMs, 'auction-ended', false],
    ['not where it may have been bought before', offered, led, bid(3, 200), endMs, 'auction-ended', false],
    ['not of what was bought', offered, after(offered, buy(3)), bid(2, 100), endMs - 1, 'auction-ended', false],
    ['not of a cancellation: it may be done already', plain, led, cancel(), endMs, 'auction-ended', false],
    ['of a close before the end as it was sent', late, initialState, close, endMs + marginMs - 1, 'not-due', true],
    [
      'not of a close after that: bids may have moved the end by less',
      late,
      after(late, [bid(2, 100), endMs - 1]),
      close,
      endMs + marginMs,
      'not-due',
      false,
    ],
    [
      'not of a bid that is too low: the one before may come to nothing',
      plain,
      led,
      bid(3, 104),
      startMs,
      'bid-too-low',
      false,
    ],
    ['not of a maximum that is not raised', plain, led, bid(2, 100, 200), startMs, 'maximum-not-raised', false],
    ['not of a purchase', plain, led, buy(3), startMs, 'buy-now-not-offered', false],
    ['not of what was cancelled', plain, cancelled, bid(2, 100), startMs, 'auction-cancelled', false],
    ['not of what is cancelled already', plain, cancelled, cancel(), startMs, 'already-cancelled', false],
    ['not of a cancellation for its bids', plain, led, cancel(), startMs, 'auction-has-bids', false],
    ['not of what is closed already', plain, closed, close, endMs + marginMs, 'already-closed', false],
  ])('%s', (_, terms, state, command, clockMs, code, expected) => {
    const decision = decide(terms, state, command, clockMs)
    if (decision.ok) throw new Error('it was accepted')
    expect(decision.refusal.code).toBe(code)
    expect(isFinal(terms, decision.refusal, command, ledgerTimeMs(state, clockMs))).toBe(expected)
  })
})

describe('a final refusal', () => {
  const codeIn = (decision: ReturnType<typeof decide>) => (decision.ok ? 'accepted' : decision.refusal.code)

  test('holds on every state there can be at that time, whatever else is recorded', () => {
    fc.assert(
      fc.property(anyTerms, anySteps, anyCommand, anyClockMs, (terms, steps, command, clockMs) => {
        const states = [initialState, ...play(terms, ...steps).map(({ state }) => state)]
        const nowMs = clockMs
        for (const [index, state] of states.entries()) {
          const decision = decide(terms, state, command, nowMs)
          if (decision.ok || !isFinal(terms, decision.refusal, command, ledgerTimeMs(state, nowMs))) continue
          for (const later of states.slice(index)) {
            if (later.atMs > ledgerTimeMs(state, nowMs)) break // A later time may begin the auction.
            const again = decide(terms, later, command, nowMs)
            expect(again.ok).toBe(false)
            if (later.phase === 'open') expect(codeIn(again)).toBe(codeIn(decision))
            // To be cancelled already is to be done: nothing may be refused for good that turns out so.
            if (!again.ok) expect([again.refusal.code, decision.refusal.code]).not.toContain('already-cancelled')
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('is the only one that may be told without a look at the head: each other is some state away from being taken', () => {
    expect(codeOf(late, initialState, bid(3, 200), endMs)).toBe('auction-ended')
    expect(codeOf(late, after(late, [bid(2, 100), endMs - 1]), bid(3, 200), endMs)).toBe('accepted')
    expect(codeOf(plain, led, bid(3, 104), startMs)).toBe('bid-too-low')
    expect(codeOf(plain, initialState, bid(3, 104), startMs)).toBe('accepted')
    expect(codeOf(plain, led, bid(2, 100, 200), startMs)).toBe('maximum-not-raised')
    expect(codeOf(plain, after(plain, bid(2, 100)), bid(2, 100, 200), startMs)).toBe('accepted')
  })
})
