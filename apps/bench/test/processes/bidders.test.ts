import { describe, expect, test } from 'vitest'
import { biddersAt } from '../../src/processes/bidders.ts'

describe('four bidders on each auction', () => {
  test('are at one process, or two at each', () => {
    expect([0, 1].map((process) => biddersAt(process, 3, 'sticky'))).toEqual([
      [1, 1, 1, 1, 3, 3, 3, 3],
      [2, 2, 2, 2],
    ])
    expect([0, 1].map((process) => biddersAt(process, 2, 'spread'))).toEqual([
      [1, 1, 2, 2],
      [1, 1, 2, 2],
    ])
  })
})
