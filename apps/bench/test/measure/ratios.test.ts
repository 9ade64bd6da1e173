import { describe, expect, test } from 'vitest'
import type { Measurement } from '../../src/measure/measurement.ts'
import { besideBase } from '../../src/measure/ratios.ts'
import { medianSample, type Sample } from '../../src/measure/sample.ts'

const measured = (series: string, rounds: readonly Sample[]): Measurement => {
  return { section: 'http', series, label: series, clients: 64, median: medianSample(rounds), rounds }
}

describe('ratios to a base', () => {
  const base = measured('base', [{ cpuMicrosPerRequest: 10, p99Ms: 4 }, { cpuMicrosPerRequest: 20 }, { p99Ms: 1 }])

  test('are those of each round, of which the median counts', () => {
    const slow = measured('slow', [
      { cpuMicrosPerRequest: 20, p99Ms: 5 },
      { cpuMicrosPerRequest: 100 },
      { cpuMicrosPerRequest: 1 },
    ])
    const [, beside] = besideBase([base, slow], 'base')
    expect(beside?.rounds.map(({ timesCpu }) => timesCpu)).toEqual([2, 5, undefined])
    expect(beside?.median).toEqual({ cpuMicrosPerRequest: 20, p99Ms: 5, timesCpu: 3.5, timesP99: 1.25 })
  })

  test('are 1 for the base itself', () => {
    const [own] = besideBase([base], 'base')
    expect(own?.median).toMatchObject({ timesCpu: 1, timesP99: 1 })
  })

  test('are left out where the base was not measured', () => {
    const alone = measured('alone', [{ cpuMicrosPerRequest: 1 }])
    expect(besideBase([alone], 'base')).toEqual([alone])
  })
})
