import { describe, expect, test } from 'vitest'
import { median } from '../../src/measure/statistics.ts'

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
