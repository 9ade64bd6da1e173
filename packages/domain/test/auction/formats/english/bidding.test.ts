import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { termsOf } from '../../../../src/auction/auction.ts'
import { decide, ledgerTimeMs } from '../../../../src/auction/decide.ts'
import { currentPriceMinor, minimumNextBidMinor } from '../../../../src/auction/formats/english/prices.ts'
import { initialState } from '../../../../src/auction/state.ts'
import {
  after,
  bid,
  close,
  endMs,
  expectRule,
  marginMs,
  owner,
  type Rule,
  refusalOf,
  startMs,
  termsWith,
} from '../../play.ts'

const most = 1e15 - 1
const terms = termsWith()
/** User 2 leads at 150, a second after the start. */
const led = [[bid(2, 150), startMs + 1_000]] as const
const closed = [...led, [close, endMs + marginMs]] as const

test('a new auction is open, without bids, with the earliest time', () => {
  expect(initialState).toStrictEqual({ phase: 'open', bidCount: 0, leader: null, atMs: 0 })
})

test('the terms of an auction contain what decisions need, and no texts except the times', () => {
  const { title, description, productId, createdAtMs, ...needed } = sampleAuction({ title: '', description: '' })
  expect(termsOf(sampleAuction({ title: 'A vase', description: 'It is old.' }))).toStrictEqual(needed)
})

describe('the price', () => {
  test.each([
    { title: 'starts at the starting price', sample: {}, bids: [], price: 100, next: 100 },
    { title: 'is the highest bid, and rises by the increment', sample: {}, bids: [bid(2, 150)], price: 150, next: 155 },
    { title: 'of 0 requires one minor unit', sample: { startingPriceMinor: 0 }, bids: [], price: 0, next: 1 },
    {
      title: 'leaves room for the largest amount',
      ...{ sample: { minimumBidIncrementMinor: 1 }, bids: [bid(2, most - 1)], price: most - 1, next: most },
    },
    {
      title: 'of the largest amount is the last',
      ...{ sample: { minimumBidIncrementMinor: 1 }, bids: [bid(2, most)], price: most, next: undefined },
    },
    {
      title: 'is the last if the next one would exceed the largest amount',
      ...{ sample: { minimumBidIncrementMinor: 2 }, bids: [bid(2, most - 1)], price: most - 1, next: undefined },
    },
  ])('$title', ({ sample, bids, price, next }) => {
    const of = termsWith(sample)
    const state = after(of, ...bids)
    expect(currentPriceMinor(of, state)).toBe(price)
    expect(minimumNextBidMinor(of, state)).toBe(next)
    const { currency } = of
    const tooLow = { code: 'bid-too-low', currentPriceMinor: price, minimumNextBidMinor: undefined, currency }
    expect(refusalOf(of, state, bid(3, most))).toStrictEqual(next === undefined ? tooLow : undefined)
  })
})

describe('a bid', () => {
  test.each<Rule>([
    { title: 'is accepted at the starting price', command: bid(2, 100), code: 'accepted' },
    { title: 'is refused below the starting price', command: bid(2, 99), code: 'bid-too-low' },
    { title: 'is accepted at the increment above the leader', after: led, command: bid(3, 155), code: 'accepted' },
    { title: 'is refused a unit below the increment', after: led, command: bid(3, 154), code: 'bid-too-low' },
    { title: 'from the leader, who raises it, is accepted', after: led, command: bid(2, 155), code: 'accepted' },
    { title: 'from the owner is refused', after: led, command: bid(owner, 200), code: 'owner-cannot-bid' },
    { title: 'is refused before the start', command: bid(2, 100), clockMs: startMs - 1, code: 'auction-not-started' },
    { title: 'is accepted until the end', after: led, command: bid(3, 155), clockMs: endMs - 1, code: 'accepted' },
    { title: 'is refused at the end', after: led, command: bid(3, 155), clockMs: endMs, code: 'auction-ended' },
    {
      title: 'is accepted by a clock before the last entry',
      ...{ after: led, command: bid(3, 155), clockMs: startMs + 1, code: 'accepted' },
    },
    {
      title: 'is accepted by a clock before the start, after the first entry',
      ...{ after: led, command: bid(3, 155), clockMs: startMs - 1e9, code: 'accepted' },
    },
    // A bid with several faults is refused for the first one, in the order of the rules.
    {
      title: 'is refused for the start before the owner and the price',
      ...{ command: bid(owner, 1), clockMs: startMs - 1, code: 'auction-not-started' },
    },
    {
      title: 'is refused for the end before the owner and the price',
      ...{ after: led, command: bid(owner, 1), clockMs: endMs, code: 'auction-ended' },
    },
    { title: 'is refused for the owner before the price', command: bid(owner, 1), code: 'owner-cannot-bid' },
  ])('$title', expectRule)

  const isInexact = 'is not a valid JPY amount; it must have at most 0 decimal places and be below 10^15 minor units'
  const amount = (decimal: number) => ({ pointer: '/amount', message: `${decimal} ${isInexact}` })
  const maximum = { pointer: '/maximumAmount', message: isInexact }
  test.each([
    { command: bid(3, 155.5), errors: [amount(155.5)] },
    { command: bid(3, 120, 150.5), errors: [maximum] },
    { command: bid(3, 120.5, 150.5), errors: [amount(120.5), maximum] },
    { command: bid(3, 120, 119), errors: [{ pointer: '/maximumAmount', message: 'must be at least amount' }] },
  ])('with invalid amounts is refused with the fields that have these: $errors', ({ command, errors }) => {
    expect(refusalOf(terms, initialState, command)).toStrictEqual({ code: 'validation-failed', errors, moreErrors: 0 })
  })

  test('that is refused receives the figures for a better one', () => {
    const state = after(terms, ...led)
    const { currency, startTime, endTime } = terms
    expect(refusalOf(terms, state, bid(3, 1))).toStrictEqual({
      code: 'bid-too-low',
      currentPriceMinor: 150,
      minimumNextBidMinor: 155,
      currency,
    })
    expect(refusalOf(terms, initialState, bid(3, 1), 0)).toStrictEqual({ code: 'auction-not-started', startTime })
    expect(refusalOf(terms, state, bid(3, 1), endMs)).toStrictEqual({ code: 'auction-ended', endTime })
    expect(refusalOf(terms, state, bid(owner, 1))).toStrictEqual({ code: 'owner-cannot-bid' })
  })

  test('is decided at a time that never goes back', () => {
    const state = after(terms, ...led)
    expect(ledgerTimeMs(terms, initialState, bid(3, 1), startMs + 5)).toBe(startMs + 5)
    expect(ledgerTimeMs(terms, state, bid(3, 1), startMs + 2_000)).toBe(startMs + 2_000)
    expect(ledgerTimeMs(terms, state, bid(3, 1), startMs)).toBe(startMs + 1_000)
  })
})

test('entries and states of an auction without formats have only the oldest fields, in their order', () => {
  const texts = [
    decide(terms, initialState, bid(2, 150), startMs),
    after(terms, [bid(2, 150), 7 + startMs]),
    decide(terms, after(terms, ...led), close, endMs + marginMs),
    after(terms, ...closed),
  ].map((value) => JSON.stringify(value))
  const leader = '{"bidId":10,"bidderId":2,"amountMinor":150}'
  const result = '{"outcome":"sold","bidId":10,"winnerId":2,"priceMinor":150}'
  expect(texts).toEqual([
    '{"ok":true,"value":{"type":"bid-placed","bidderId":2,"amountMinor":150}}',
    `{"phase":"open","bidCount":1,"leader":${leader},"atMs":${startMs + 7}}`,
    `{"ok":true,"value":{"type":"closed","result":${result}}}`,
    `{"phase":"closed","bidCount":1,"leader":${leader},"atMs":${endMs + marginMs},"result":${result}}`,
  ])
})
