import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { median, percentile } from '../../src/measure/statistics.ts'

describe('median', () => {
  test.each([
    { values: [7], middle: 7 },
    { values: [10, 9, 1], middle: 9 },
    { values: [4, 1, 3, 100], middle: 3.5 },
    { values: [2, 10, 100], middle: 10 },
  ])('of $values is $middle', ({ values, middle }) => {
    expect(median(values)).toBe(middle)
  })

  test('leaves the values in their order', () => {
    const values = [3, 1, 2]
    median(values)
    expect(values).toEqual([3, 1, 2])
  })

  test('does not exist of no values', () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

describe('percentile', () => {
  test.each([
    { percent: 50, found: 50 },
    { percent: 99, found: 99 },
    { percent: 100, found: 100 },
    { percent: 0, found: 1 },
    { percent: 0.5, found: 1 },
  ])('$percent of the numbers from 1 to 100 is $found', ({ percent, found }) => {
    const numbers = Float64Array.from({ length: 100 }, (_, index) => index + 1)
    expect(percentile(numbers, percent)).toBe(found)
  })

  test('does not exist of no values', () => {
    expect(percentile(new Float64Array(), 50)).toBeUndefined()
  })

  test('is a measured value that so many percent do not exceed, and no smaller one is', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (unsorted, percent) => {
        const found = percentile(Float64Array.from(unsorted).sort(), percent) ?? Number.NaN
        const shareUpTo = (limit: number) => unsorted.filter((value) => value <= limit).length / unsorted.length
        expect(unsorted).toContain(found)
        expect(shareUpTo(found)).toBeGreaterThanOrEqual(percent / 100)
        expect(shareUpTo(found - 1)).toBeLessThan(percent / 100)
      }),
    )
  })
})
