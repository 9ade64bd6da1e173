import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Claim, countWrong } from '../../src/contest/wrong-outcomes.ts'

const claim = (step: number, dollars: number, auction = 0): Claim => ({ auction, step, dollars })

describe('wrong outcomes', () => {
  test.each([
    { what: 'nothing accepted', claims: [], wrong: 0 },
    { what: 'a chain, in any order of answers', claims: [claim(2, 3), claim(0, 1), claim(1, 2)], wrong: 0 },
    { what: 'two winners of one price', claims: [claim(0, 1), claim(0, 1)], wrong: 1 },
    { what: 'two bids above the same one', claims: [claim(0, 1), claim(1, 2), claim(1, 3)], wrong: 1 },
    { what: 'a bid on a step of another auction', claims: [claim(0, 1), claim(0, 1, 1)], wrong: 0 },
    { what: 'sequences whose amounts fall', claims: [claim(1, 5), claim(2, 4), claim(3, 6)], wrong: 1 },
    { what: 'sequences whose amounts rise too little', claims: [claim(1, 5), claim(2, 5)], wrong: 1 },
  ])('$what: $wrong', ({ claims, wrong }) => {
    expect(countWrong(claims, 1)).toBe(wrong)
  })

  test('are none in any chain of rising prices, however the answers arrive', () => {
    const rises = fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 50 })
    fc.assert(
      fc.property(rises, fc.infiniteStream(fc.nat()), (steps, order) => {
        let price = 0
        const claims = steps.map((rise) => {
          const step = price
          price += rise
          return { claim: claim(step, price), place: order.next().value }
        })
        const shuffled = claims.toSorted((a, b) => a.place - b.place).map((answered) => answered.claim)
        expect(countWrong(shuffled, 1)).toBe(0)
      }),
    )
  })

  test('grow by one for each accepted bid that took the step of another', () => {
    const claims = Array.from({ length: 20 }, (_, index) => claim(index, index + 1))
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 19 })), (doubled) => {
        const twins = claims.filter((_, index) => doubled.includes(index))
        expect(countWrong([...claims, ...twins], 1)).toBe(doubled.length)
      }),
    )
  })
})
