import { describe, expect, test } from 'vitest'
import { growthPercent } from '../src/memory/flatness.ts'

describe('growth', () => {
  test.each([
    { what: 'of what stays', values: [80, 80, 80, 80, 80, 80, 80, 80], percent: 0 },
    { what: 'ignores what fills up first', values: [1, 60, 80, 80, 80, 80, 80, 80], percent: 0 },
    { what: 'of what grows', values: [10, 10, 10, 10, 10, 10, 15, 15], percent: 50 },
    { what: 'of what shrinks', values: [10, 10, 10, 10, 10, 10, 9, 9], percent: -10 },
  ])('$what: $percent %', ({ values, percent }) => {
    expect(growthPercent(values)).toBeCloseTo(percent)
  })

  test('is not told from three values', () => {
    expect(() => growthPercent([1, 2, 3])).toThrow(RangeError)
  })
})
