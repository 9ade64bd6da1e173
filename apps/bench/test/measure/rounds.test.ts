import { describe, expect, test } from 'vitest'
import type { Point } from '../../src/measure/measurement.ts'
import { measureInRounds } from '../../src/measure/rounds.ts'
import { medianSample } from '../../src/measure/sample.ts'
import { showProgress } from '../../src/progress.ts'

const point = (series: string, clients: number): Point => ({ section: 'domain', series, label: series, clients })

function writer(isTTY: boolean) {
  let written = ''
  const write = (text: string | Uint8Array) => {
    written += text
    return true
  }
  return { out: { write, isTTY, columns: 60 }, written: () => written }
}

describe('rounds', () => {
  test('take the points in turn, and the medians of each', async () => {
    const order: string[] = []
    const rates = [5, 50, 3, 30, 4, 40]
    const { out } = writer(false)
    const progress = showProgress(out)
    progress.section('domain', 6)
    const measured = await measureInRounds([point('a', 1), point('b', 64)], 3, progress, async ({ series }) => {
      order.push(series)
      return { acceptedPerSecond: rates[order.length - 1] ?? 0 }
    })
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
    expect(measured.map(({ series, clients, median, rounds }) => [series, clients, median, rounds.length])).toEqual([
      ['a', 1, { acceptedPerSecond: 4 }, 3],
      ['b', 64, { acceptedPerSecond: 40 }, 3],
    ])
  })
})

describe('the median of samples', () => {
  test('is taken of each metric on its own, over the rounds that have it', () => {
    const samples = [{ acceptedPerSecond: 1, p50Ms: 30 }, { acceptedPerSecond: 2, p50Ms: 10 }, { acceptedPerSecond: 9 }]
    expect(medianSample(samples)).toEqual({ acceptedPerSecond: 2, p50Ms: 20 })
  })
})

describe('progress', () => {
  const watch = (isTTY: boolean) => {
    const { out, written } = writer(isTTY)
    const progress = showProgress(out)
    progress.section('domain', 2)
    progress.begin('one')
    progress.end('one', { acceptedPerSecond: 12_345.6 })
    progress.begin('two, which has a name that is longer than the terminal is wide')
    return written()
  }

  test('is a line for each step where it is not a terminal', () => {
    expect(watch(false)).toBe('domain 1/2, one: 12,346/s\n')
  })

  test('is one line that is written over on a terminal', () => {
    const lines = watch(true).split('\r\u001b[2K')
    expect(lines).toEqual([
      '',
      `[${'.'.repeat(24)}] domain 1/2, one`,
      `[${'#'.repeat(12)}${'.'.repeat(12)}] domain 2/2, two, which has a nam`,
    ])
  })
})
