import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/auction/decide.ts'
import { initialState } from '../../src/auction/state.ts'
import { anySteps, anyTerms } from './any-history.ts'
import {
  after,
  bid,
  buy,
  cancel,
  close,
  codeOf,
  correct,
  endMs,
  force,
  marginMs,
  play,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const offered = termsWith({ buyNowPriceMinor: 500 })
const cancellable = termsWith({ cancellableUntilEnd: true })

describe('a correction of an expected state', () => {
  const once = after(terms, correct())
  test.each([
    ['any state', undefined, once, 'accepted'],
    ['no corrections of a new auction', 0, initialState, 'accepted'],
    ['no corrections of a corrected auction', 0, once, 'precondition-failed'],
    ['one correction of a corrected auction', 1, once, 'accepted'],
    ['one correction of a new auction', 1, initialState, 'precondition-failed'],
    ['another state', null, initialState, 'precondition-failed'],
    ['another state, of an auction with bids', null, after(terms, bid(2, 100)), 'auction-has-bids'],
  ])('that expects %s', (_, expectedCorrections, state, code) => {
    const command = expectedCorrections === undefined ? correct() : { ...correct(), expectedCorrections }
    expect(codeOf(terms, state, command, startMs)).toBe(code)
  })
})

describe('an auction can be corrected', () => {
  test.each([
    ['before the start', terms, initialState, startMs - 1, 'accepted'],
    ['without a bid', terms, initialState, startMs, 'accepted'],
    ['without a bid, a millisecond before the end', terms, initialState, endMs - 1, 'accepted'],
    ['not at the end', terms, initialState, endMs, 'auction-ended'],
    ['not after it is closed', terms, after(terms, [close, endMs + marginMs]), startMs, 'auction-ended'],
    ['not after the first bid', terms, after(terms, bid(2, 100)), startMs, 'auction-has-bids'],
    ['not after a bid with a maximum', terms, after(terms, bid(2, 100, 200)), startMs, 'auction-has-bids'],
    [
      'not after bids, if it can be cancelled',
      cancellable,
      after(cancellable, bid(2, 100)),
      startMs,
      'auction-has-bids',
    ],
    ['not at the end, with bids', terms, after(terms, bid(2, 100)), endMs, 'auction-ended'],
    ['not after it was bought', offered, after(offered, buy(3)), startMs, 'auction-ended'],
    ['not after it was cancelled', terms, after(terms, cancel()), startMs, 'auction-cancelled'],
    ['not after it was cancelled, past its end', terms, after(terms, cancel()), endMs, 'auction-cancelled'],
    ['not after it was cancelled by staff', terms, after(terms, bid(2, 100), force()), startMs, 'auction-cancelled'],
  ])('%s', (_, of, state, nowMs, code) => {
    expect(codeOf(of, state, correct(), nowMs)).toBe(code)
  })

  test('not after the first bid, which the refusal names as the reason', () => {
    const [, refused] = play(terms, bid(2, 100), correct())
    expect(refused).toMatchObject({ refusal: { code: 'auction-has-bids', prevents: 'correction' } })
  })

  test('20 times', () => {
    const corrected = after(terms, ...Array.from({ length: 19 }, () => correct()))
    expect(codeOf(terms, corrected, correct())).toBe('accepted')
    expect(codeOf(terms, after(terms, ...Array.from({ length: 20 }, () => correct())), correct())).toBe(
      'too-many-corrections',
    )
  })
})

describe('a correction', () => {
  test.each([
    ['a title', { title: 'Oak desk' }],
    ['no title', { title: null }],
    ['a description', { description: 'Worn.' }],
    ['no description', { description: null }],
    ['both', { title: 'Oak desk', description: '' }],
  ])('is recorded with %s and its editor', (_, texts) => {
    expect(decide(terms, initialState, correct(texts), startMs)).toStrictEqual({
      ok: true,
      value: { type: 'corrected', ...texts, editor: 'staff' },
    })
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
    const second = after(terms, correct({ title: 'Oak desk', description: 'Worn.' }), [
      correct({ title: null }),
      endMs - 1,
    ])
    expect(second.corrections).toStrictEqual({ count: 2, atMs: endMs - 1, title: null, descriptionIn: 10 })
    const third = after(terms, correct({ title: 'Oak' }), correct({ description: null }))
    expect(third.corrections).toMatchObject({ count: 2, title: 'Oak', descriptionIn: 20 })
  })

  test('does not change what bids need', () => {
    const corrected = after(terms, correct())
    expect(decide(terms, corrected, bid(2, 100, 300), startMs)).toStrictEqual(
      decide(terms, initialState, bid(2, 100, 300), startMs),
    )
  })
})

test('for any commands, a correction precedes all bids, and every later state keeps the corrections', () => {
  fc.assert(
    fc.property(anyTerms, anySteps, (of, steps) => {
      for (const { command, before, state, ...played } of play(of, ...steps)) {
        if (command.type !== 'correct') expect(state.corrections).toStrictEqual(before.corrections)
        else if (played.ok) {
          expect(before).toMatchObject({ phase: 'open', bidCount: 0 })
          expect(state.corrections?.count).toBe((before.corrections?.count ?? 0) + 1)
        }
      }
    }),
    { numRuns: 1_000 },
  )
})
