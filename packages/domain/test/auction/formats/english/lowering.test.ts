import { describe, expect, test } from 'vitest'
import { isReserveMet } from '../../../../src/auction/formats/english/prices.ts'
import { initialState, termsIn } from '../../../../src/auction/state.ts'
import {
  after,
  bid,
  buy,
  correct,
  endMs,
  eventOf,
  expectRule,
  extend,
  lower,
  play,
  type Rule,
  refusalOf,
  type Step,
  softCloseTerms,
  startMs,
  termsWith,
} from '../../play.ts'

const terms = termsWith({ reservePriceMinor: 300 })
const offered = termsWith({ reservePriceMinor: 300, buyNowPriceMinor: 500 })
const own = (reserve: number) => lower(reserve, 'owner')
const { reason: _, ...unreasoned } = lower(299)
const extensions = (count: number) => Array.from({ length: count }, (_, index) => extend(endMs + index + 1))
const before = { code: 'reserve-lowered-before' }
const tooMany = { code: 'too-many-repairs' }

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
    { title: 'is accepted from the owner', command: lower(299, 'owner'), code: 'accepted' },
    { title: 'is accepted before the start', command: lower(299), clockMs: startMs - 1, code: 'accepted' },
    { title: 'is accepted before the end from the owner', command: own(299), clockMs: endMs - 1, code: 'accepted' },
    { title: 'is refused at the end from the owner', command: own(299), clockMs: endMs, code: 'auction-ended' },
    { title: 'is refused from the owner again', after: [own(200)], command: own(199), ...before },
    { title: 'is refused from the owner after staff', after: [lower(200)], command: own(0), ...before },
    { title: 'is accepted from staff after the owner', after: [own(200)], command: lower(199), code: 'accepted' },
    { title: 'is refused from staff without a reason', command: unreasoned, code: 'validation-failed' },
    { title: 'is accepted from an owner after 50 repairs', after: extensions(50), command: own(0), code: 'accepted' },
    { title: 'leaves staff 50 repairs', after: [own(200), ...extensions(49)], command: lower(0), code: 'accepted' },
    { title: 'is refused after these', after: [own(200), ...extensions(50)], command: lower(0), ...tooMany },
    { title: 'is refused as it is', command: lower(300), code: 'validation-failed' },
    { title: 'is refused as inexact', command: lower(1.5), code: 'validation-failed' },
    { title: 'is refused without a reserve', terms: termsWith(), command: lower(0), code: 'validation-failed' },
    { title: 'can be lower again', after: [lower(200)], command: lower(199), code: 'accepted' },
    { title: 'cannot follow its removal', after: [lower(0)], command: lower(0), code: 'validation-failed' },
    {
      title: 'ends the offer that it meets',
      ...{ terms: offered, after: [bid(2, 100), lower(100)], command: buy(3), code: 'buy-now-not-offered' },
    },
    { title: 'keeps the terms', after: [lower(0)], command: correct({ reservePrice: 400 }), code: 'auction-repaired' },
  ])('$title', (rule) => expectRule({ terms, ...rule }))

  test('names the reserve in an error', () => {
    expect(refusalOf(terms, initialState, lower(300))).toMatchObject({
      errors: [
        { pointer: '/reservePrice', message: 'must be below the current reserve of 300 JPY, or 0 to remove it' },
      ],
    })
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
