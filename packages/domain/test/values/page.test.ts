import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultPageSize, maxPageSize, pageOf } from '../../src/values/page.ts'

const place = (item: string) => `at ${item}`

test.each([
  [[], 2, [], undefined],
  [['a'], 2, ['a'], undefined],
  [['a', 'b'], 2, ['a', 'b'], undefined],
  [['a', 'b', 'c'], 2, ['a', 'b'], 'at b'],
  [['a', 'b'], 1, ['a'], 'at a'],
])('for %j with a limit of %i, the page is %j and continues %j', (found, limit, items, next) => {
  expect(pageOf(found, limit, place)).toEqual({ items, next })
})

test('pages contain everything once and in order, whatever their size', () => {
  const size = fc.integer({ min: 1, max: maxPageSize })
  fc.assert(
    fc.property(fc.nat(300), size, (count, limit) => {
      const all = Array.from({ length: count }, (_, index) => index)
      const seen: number[] = []
      let after: number | undefined = -1
      while (after !== undefined) {
        const start: number = after + 1
        const page = pageOf(all.slice(start, start + limit + 1), limit, (item) => item)
        seen.push(...page.items)
        after = page.next
      }
      expect(seen).toEqual(all)
    }),
  )
})

test('the default page size is within the limit', () => {
  expect([defaultPageSize, maxPageSize]).toEqual([20, 100])
})
