import { describe, expect, test } from 'vitest'
import { initialState, isReserveMet, termsIn } from '../../src/auction/state.ts'
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
  extend,
  lower,
  marginMs,
  owner,
  play,
  type Rule,
  refusalOf,
  type Step,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith({ reservePriceMinor: 300 })
const offered = termsWith({ reservePriceMinor: 300, buyNowPriceMinor: 500 })
const own = (reserve: number) => lower(reserve, owner)
/** By an owner who is on the staff. */
const both = (reserve: number) => ({ ...own(reserve), mayLowerAny: true })
const reasoned = { ...both(199), reason: 'Agreed.' }
const { reason: _, ...unreasoned } = { ...lower(299, 9), mayLowerAny: true, mayReadReserve: true }
const extensions = (count: number) => Array.from({ length: count }, (_, index) => extend(endMs + index + 1))
const before = { code: 'reserve-lowered-before' }
const cancelled = { code: 'auction-cancelled' }
const tooMany = { code: 'too-many-repairs' }
/** By staff who may not read the reserve. */
const blind = (reserve: number) => ({ ...lower(reserve, 9), mayLowerAny: true, mayReadReserve: false })

describe('a lower reserve', () => {
  test('does not show the maximum of the leader to an owner who halves its range again and again', () => {
    const reserved = termsWith({ reservePriceMinor: 1_000 })
    const steps: Step[] = [bid(2, 100, 333)]
    let [low, high] = [100, 1_000]
    for (let clockMs = endMs - 10; clockMs < endMs + 10; clockMs++) {
      const middle = Math.ceil((low + high) / 2)
      const lowered = play(reserved, ...steps, [own(middle), clockMs]).at(-1)
      if (lowered?.ok !== true) continue
      steps.push([own(middle), clockMs])
      if (isReserveMet(termsIn(reserved, lowered.state), lowered.state)) low = middle
      else high = middle
    }
    expect({ low, high, leader: after(reserved, ...steps).leader?.amountMinor }).toEqual({
      low: 100,
      high: 550,
      leader: 100,
    })
  })

  test.each<Rule>([
    { title: 'is accepted from the owner', command: lower(299, owner), code: 'accepted' },
    { title: 'is accepted from staff', command: { ...lower(299, 9), mayLowerAny: true }, code: 'accepted' },
    { title: 'is refused from another user', command: lower(299, 9), code: 'not-the-owner' },
    { title: 'is accepted before the start', command: lower(299), clockMs: startMs - 1, code: 'accepted' },
    { title: 'is accepted after the end', command: lower(299), clockMs: endMs + marginMs, code: 'accepted' },
    { title: 'is accepted before the end from the owner', command: own(299), clockMs: endMs - 1, code: 'accepted' },
    { title: 'is refused at the end from the owner', command: own(299), clockMs: endMs, code: 'auction-ended' },
    { title: 'is refused from the owner again', after: [own(200)], command: own(199), ...before },
    { title: 'is refused from the owner after staff', after: [lower(200)], command: own(0), ...before },
    { title: 'is refused from an owner after a cancellation', after: [cancel()], command: own(0), ...cancelled },
    { title: 'is accepted from staff after the owner', after: [own(200)], command: lower(199), code: 'accepted' },
    { title: 'is refused from staff without a reason', command: unreasoned, code: 'validation-failed' },
    { title: 'is refused from an owner on the staff again', after: [own(200)], command: both(199), ...before },
    { title: 'is accepted from that owner with a reason', after: [own(200)], command: reasoned, code: 'accepted' },
    { title: 'is accepted from an owner after 50 repairs', after: extensions(50), command: own(0), code: 'accepted' },
    { title: 'leaves staff 50 repairs', after: [own(200), ...extensions(49)], command: lower(0), code: 'accepted' },
    { title: 'is refused after these', after: [own(200), ...extensions(50)], command: lower(0), ...tooMany },
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
    const errors = [{ pointer: '/reservePrice' }, { pointer: '/reason' }]
    expect(errorOf({ ...unreasoned, mayReadReserve: false })).toMatchObject({ errors })
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
      ...{ type: 'reserve-lowered', reservePriceMinor: 150, reason: 'Outage.', editor: 'staff', by: 'staff' },
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
