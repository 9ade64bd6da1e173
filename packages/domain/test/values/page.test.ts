import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultPageSize, maxPageSize, pageOf } from '../../src/values/page.ts'

const position = (item: string) => `at ${item}`

test.each([
  { found: [], limit: 2, items: [], next: undefined },
  { found: ['a'], limit: 2, items: ['a'], next: undefined },
  { found: ['a', 'b'], limit: 2, items: ['a', 'b'], next: undefined },
  { found: ['a', 'b', 'c'], limit: 2, items: ['a', 'b'], next: 'at b' },
  { found: ['a', 'b'], limit: 1, items: ['a'], next: 'at a' },
])('for $found with a limit of $limit, the page is $items and continues $next', ({ found, limit, items, next }) => {
  expect(pageOf(found, limit, position)).toEqual({ items, next })
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
