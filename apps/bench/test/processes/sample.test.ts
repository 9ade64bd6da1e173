import { describe, expect, test } from 'vitest'
import type { BiddingReport } from '../../src/processes/order.ts'
import { sampleOfProcesses } from '../../src/processes/sample.ts'

const report = (changed: Partial<BiddingReport>): BiddingReport => ({
  accepted: 0,
  refused: 0,
  failed: 0,
  p50Ms: undefined,
  p99Ms: undefined,
  calmP50Ms: undefined,
  calmP99Ms: undefined,
  trouble: undefined,
  ...changed,
})

describe('a sample of two processes', () => {
  test('has the bids of both, the part of the weaker one, and the longer waits', () => {
    const reports = [
      report({ accepted: 30, refused: 4, p50Ms: 3, p99Ms: 9, calmP50Ms: 1 }),
      report({ accepted: 10, failed: 2, p50Ms: 2, p99Ms: 10, calmP50Ms: 5 }),
    ]
    expect(sampleOfProcesses(reports, 2)).toEqual({
      acceptedPerSecond: 20,
      refusedPerSecond: 2,
      failedPerSecond: 1,
      weakerShare: 0.25,
      p50Ms: 3,
      p99Ms: 10,
      calmP50Ms: 5,
    })
  })

  test('has nobody win where nothing was won', () => {
    expect(sampleOfProcesses([report({}), report({})], 1)).toMatchObject({ weakerShare: 0, acceptedPerSecond: 0 })
  })
})
