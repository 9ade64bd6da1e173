import { describe, expect, test } from 'vitest'
import { initialState, termsIn } from '../../src/auction/state.ts'
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
  lower,
  marginMs,
  owner,
  type Rule,
  refusalOf,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith({ reservePriceMinor: 300 })
const offered = termsWith({ reservePriceMinor: 300, buyNowPriceMinor: 500 })
/** By staff who may not read the reserve. */
const blind = (reserve: number) => ({ ...lower(reserve, 9), mayLowerAny: true, mayReadReserve: false })

describe('a lower reserve', () => {
  test.each<Rule>([
    { title: 'is accepted from the owner', command: lower(299, owner), code: 'accepted' },
    { title: 'is accepted from staff', command: { ...lower(299, 9), mayLowerAny: true }, code: 'accepted' },
    { title: 'is refused from another user', command: lower(299, 9), code: 'not-the-owner' },
    { title: 'is accepted before the start', command: lower(299), clockMs: startMs - 1, code: 'accepted' },
    { title: 'is accepted after the end', command: lower(299), clockMs: endMs + marginMs, code: 'accepted' },
    {
      title: 'is refused after the close',
      after: [[close, endMs + marginMs]],
      command: lower(0),
      code: 'auction-ended',
    },
    { title: 'is refused after a cancellation', after: [cancel()], command: lower(0), code: 'auction-cancelled' },
    { title: 'is refused after a purchase', terms: offered, after: [buy(3)], command: lower(0), code: 'auction-ended' },
    { title: 'is refused as it is', command: lower(300), code: 'validation-failed' },
    { title: 'is refused if it is higher', command: lower(301), code: 'validation-failed' },
    { title: 'is refused as inexact', command: lower(1.5), code: 'validation-failed' },
    { title: 'is refused without a reserve', terms: termsWith(), command: lower(0), code: 'validation-failed' },
    { title: 'can be lower again', after: [lower(200)], command: lower(199), code: 'accepted' },
    { title: 'cannot be higher again', after: [lower(200)], command: lower(200), code: 'validation-failed' },
    { title: 'cannot follow its removal', after: [lower(0)], command: lower(0), code: 'validation-failed' },
    {
      title: 'ends the offer that it meets',
      terms: offered,
      after: [bid(2, 100), lower(100)],
      command: buy(3),
      code: 'buy-now-not-offered',
    },
    { title: 'leaves texts to be corrected', after: [lower(0)], command: correct(), code: 'accepted' },
    { title: 'keeps the terms', after: [lower(0)], command: correct({ reservePrice: 400 }), code: 'auction-repaired' },
  ])('$title', (rule) => expectRule({ terms, ...rule }))

  test('names the reserve only to callers who may read it', () => {
    const errorOf = (command: Rule['command']) => refusalOf(terms, initialState, command)
    const isLower = {
      errors: [
        { pointer: '/reservePrice', message: 'must be below the current reserve of 300 JPY, or 0 to remove it' },
      ],
    }
    expect(errorOf(lower(300, owner))).toMatchObject(isLower)
    expect(errorOf({ ...lower(300, owner), mayReadReserve: false })).toMatchObject(isLower)
    const message = 'must be 0, which removes the reserve, for a caller who may not read the reserve of the auction'
    for (const reserve of [1, 299, 300, 301]) {
      expect(errorOf(blind(reserve))).toMatchObject({ errors: [{ pointer: '/reservePrice', message }] })
    }
    expect(errorOf(blind(0))).toBeUndefined()
  })

  test('replaces the reserve in the terms, or removes it', () => {
    expect(termsIn(terms, after(terms, lower(299)))).toStrictEqual({ ...terms, reservePriceMinor: 299 })
    const { reservePriceMinor: _, ...others } = terms
    expect(termsIn(terms, after(terms, lower(0)))).toStrictEqual(others)
  })

  const automatic = { bidderId: 2, amountMinor: 150 }
  test.each([
    { title: 'bids for the leader whose maximum covers it', bids: [bid(2, 100, 200)], automatic },
    { title: 'bids for the leader whose maximum equals it', bids: [bid(2, 100, 150)], automatic },
    { title: 'does not bid for a leader with a lower maximum', bids: [bid(2, 100, 149)] },
    { title: 'does not bid for a leader who has already met it', bids: [bid(2, 160, 200)] },
    { title: 'does not bid without bids', bids: [] },
  ])('$title', ({ bids, ...row }) => {
    expect(eventOf(terms, ...bids, lower(150))).toStrictEqual({
      ...{ type: 'reserve-lowered', reservePriceMinor: 150, editor: 'staff' },
      ...(row.automatic && { automatic: row.automatic }),
    })
  })

  test('counts the bid at the reserve, which does not move the end', () => {
    const soft = softCloseTerms({ reservePriceMinor: 300 })
    const state = after(soft, bid(2, 100, 200), [lower(150), endMs - 1])
    const leader = { bidId: 21, bidderId: 2, amountMinor: 150, maximumMinor: 200 }
    expect(state).toMatchObject({ bidCount: 2, leader })
    expect(state.extendedEndMs).toBeUndefined()
    expect(after(soft, bid(2, 100, 150), lower(150)).leader).not.toHaveProperty('maximumMinor')
  })
})
