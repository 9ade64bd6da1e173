import { describe, expect, test } from 'vitest'
import { decide } from '../../src/auction/decide.ts'
import { initialState } from '../../src/auction/state.ts'
import {
  after,
  bid,
  buy,
  cancel,
  close,
  correct,
  endMs,
  eventOf,
  expectRule,
  force,
  marginMs,
  type Rule,
  refusalOf,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const led = [bid(2, 100)]
const times = (count: number) => Array.from({ length: count }, () => correct())

describe('a correction', () => {
  test.each<Omit<Rule, 'command'>>([
    { title: 'is accepted before the start', clockMs: startMs - 1, code: 'accepted' },
    { title: 'is accepted a millisecond before the end', clockMs: endMs - 1, code: 'accepted' },
    { title: 'is refused at the end', clockMs: endMs, code: 'auction-ended' },
    { title: 'is refused after the close', after: [[close, endMs + marginMs]], code: 'auction-ended' },
    { title: 'is refused after the first bid', after: led, code: 'auction-has-bids' },
    {
      title: 'is refused after a bid even if the auction can be cancelled',
      terms: termsWith({ cancellableUntilEnd: true }),
      ...{ after: led, code: 'auction-has-bids' },
    },
    { title: 'is refused for the end before the bids', after: led, clockMs: endMs, code: 'auction-ended' },
    {
      title: 'is refused after a purchase',
      terms: termsWith({ buyNowPriceMinor: 500 }),
      ...{ after: [buy(3)], code: 'auction-ended' },
    },
    { title: 'is refused after a cancellation', after: [cancel()], code: 'auction-cancelled' },
    { title: 'is refused as cancelled after the end', after: [cancel()], clockMs: endMs, code: 'auction-cancelled' },
    { title: 'is refused after a forced cancellation', after: [...led, force()], code: 'auction-cancelled' },
    { title: 'is accepted for the 20th time', after: times(19), code: 'accepted' },
    { title: 'is refused for the 21st time', after: times(20), code: 'too-many-corrections' },
  ])('$title', (rule) => expectRule({ ...rule, command: correct() }))

  test('is refused after the first bid with what that prevents', () => {
    expect(refusalOf(terms, after(terms, ...led), correct())).toStrictEqual({
      code: 'auction-has-bids',
      prevents: 'correction',
    })
  })
})

describe('a correction that expects', () => {
  test.each<Omit<Rule, 'command'> & { readonly expected: number | null }>([
    { title: 'no earlier ones is accepted', expected: 0, code: 'accepted' },
    { title: 'no earlier ones is refused after one', expected: 0, after: times(1), code: 'precondition-failed' },
    { title: 'one is accepted after one', expected: 1, after: times(1), code: 'accepted' },
    { title: 'one is refused before one', expected: 1, code: 'precondition-failed' },
    { title: 'another state is refused', expected: null, code: 'precondition-failed' },
    { title: 'another state is refused for bids first', expected: null, after: led, code: 'auction-has-bids' },
  ])('$title', ({ expected, ...rule }) => {
    expectRule({ ...rule, command: { ...correct(), expectedCorrections: expected } })
  })
})

describe('the entry of a correction', () => {
  test.each([
    { title: 'a title', texts: { title: 'Oak desk' } },
    { title: 'no title', texts: { title: null } },
    { title: 'a description', texts: { description: 'Worn.' } },
    { title: 'no description', texts: { description: null } },
    { title: 'both', texts: { title: 'Oak desk', description: '' } },
  ])('has $title and its editor', ({ texts }) => {
    expect(eventOf(terms, correct(texts))).toStrictEqual({ type: 'corrected', ...texts, editor: 'staff' })
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

  test('does not change what bids need', () => {
    const corrected = after(terms, correct())
    expect(decide(terms, corrected, bid(2, 100, 300), startMs)).toStrictEqual(
      decide(terms, initialState, bid(2, 100, 300), startMs),
    )
  })
})
