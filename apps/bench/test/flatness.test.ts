import { describe, expect, test } from 'vitest'
import { growthPercent, lastToFirst } from '../src/memory/flatness.ts'

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

describe('the last tenth of rates', () => {
  test.each([
    { what: 'of ten', values: [100, 1, 1, 1, 1, 1, 1, 1, 1, 80], ratio: 0.8 },
    { what: 'of twenty, by the time that both take', values: [50, 200, ...Array(16).fill(1), 40, 40], ratio: 0.5 },
  ])('$what: $ratio of the first', ({ values, ratio }) => {
    expect(lastToFirst(values)).toBeCloseTo(ratio)
  })

  test('is not told from nine values', () => {
    expect(() => lastToFirst(Array(9).fill(1))).toThrow(RangeError)
  })
})
