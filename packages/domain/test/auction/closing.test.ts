import { describe, expect, test } from 'vitest'
import { initialState } from '../../src/auction/state.ts'
import {
  after,
  bid,
  buy,
  close,
  endMs,
  eventOf,
  expectRule,
  marginMs,
  type Rule,
  refusalOf,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const atEnd = [close, endMs + marginMs] as const

describe('a close', () => {
  test.each<Rule>([
    { title: 'is refused long before the end', after: [bid(2, 150)], command: close, code: 'not-due' },
    { title: 'is refused at the end', command: close, clockMs: endMs, code: 'not-due' },
    { title: 'is refused until the margin is over', command: close, clockMs: endMs + marginMs - 1, code: 'not-due' },
    { title: 'is accepted when the margin is over', command: close, clockMs: endMs + marginMs, code: 'accepted' },
    { title: 'is accepted much later', after: [bid(2, 150)], command: close, clockMs: endMs + 1e9, code: 'accepted' },
  ])('$title', expectRule)

  test('is refused with the end before it is due, and with the time of the end after it', () => {
    const { endTime } = terms
    expect(refusalOf(terms, initialState, close, endMs)).toStrictEqual({ code: 'not-due', endTime, changeCount: 0 })
    expect(refusalOf(terms, initialState, close, startMs - 1)).toMatchObject({
      code: 'not-due',
      startTime: terms.startTime,
    })
    expect(refusalOf(terms, after(terms, atEnd), close)).toStrictEqual({
      ...{ code: 'already-closed', endedMs: endMs, outcome: 'unsold' },
    })
    const offered = termsWith({ buyNowPriceMinor: 500 })
    const bought = after(offered, [buy(2), startMs + 7])
    expect(refusalOf(offered, bought, close)).toStrictEqual({
      ...{ code: 'already-closed', endedMs: startMs + 7, outcome: 'bought' },
    })
  })
})

describe('the result at the end', () => {
  const reserved = termsWith({ reservePriceMinor: 150 })
  const notMet = { outcome: 'unsold', reason: 'reserve-not-met' }
  test.each([
    { title: 'is unsold without a bid', terms, bids: [], result: { outcome: 'unsold', reason: 'no-bids' } },
    {
      title: 'is sold for the highest bid',
      ...{ terms, bids: [bid(2, 100), bid(3, 170)] },
      result: { outcome: 'sold', bidId: 20, winnerId: 3, priceMinor: 170 },
    },
    { title: 'is unsold with a bid below the reserve', terms: reserved, bids: [bid(2, 149)], result: notMet },
    { title: 'is unsold with a maximum below the reserve', terms: reserved, bids: [bid(2, 100, 149)], result: notMet },
    {
      title: 'is sold for a bid equal to the reserve',
      ...{ terms: reserved, bids: [bid(2, 150)], result: { outcome: 'sold', bidId: 10, winnerId: 2, priceMinor: 150 } },
    },
    {
      title: 'is sold for the reserve to a maximum that covers it',
      ...{ terms: reserved, bids: [bid(2, 100, 400)] },
      result: { outcome: 'sold', bidId: 11, winnerId: 2, priceMinor: 150 },
    },
  ])('$title, and bids stay readable', ({ terms: of, bids, result }) => {
    expect(eventOf(of, ...bids, atEnd)).toStrictEqual({ type: 'closed', result })
    const open = after(of, ...bids)
    expect(after(of, ...bids, atEnd)).toStrictEqual({ ...open, phase: 'closed', atMs: endMs + marginMs, result })
  })
})
