import { describe, expect, test } from 'vitest'
import type { Measurement } from '../../src/measure/measurement.ts'
import type { Sample } from '../../src/measure/sample.ts'
import { judgeTargets } from '../../src/report/targets.ts'

const database = 'the database'
const databases = [{ name: database, hasAtomicUpdates: false }]

const measured = (series: string, clients: number, median: Sample): Measurement => {
  return { section: 'bids', series, label: series, clients, median, rounds: [median], database }
}

const memory = (bids: number) => ({
  auctions: 100_000,
  samples: [{ bids, rssMegabytes: 300, heapUsedMegabytes: 80 }],
  rssGrowthPercent: 12,
  heapGrowthPercent: 0.1,
})

type Run = Parameters<typeof judgeTargets>[0]
const nothing: Run = { measurements: [], memory: undefined, due: 10_000, databases }

/** The verdicts that are not "not run", by the beginning of their text. */
const verdicts = (run: Partial<Run>) =>
  judgeTargets({ ...nothing, ...run })
    .filter(({ reached }) => reached !== undefined)
    .map(({ text, measured, reached }) => [text.split(':')[0], measured, reached])

describe('targets', () => {
  test('are not judged when nothing was measured', () => {
    const targets = judgeTargets(nothing)
    expect(targets.length).toBeGreaterThan(9)
    expect(targets.every(({ measured, reached }) => measured === undefined && reached === undefined)).toBe(true)
  })

  test('are ratios of the same number of clients in the same run', () => {
    const measurements = [
      measured('insertOne', 1, { acceptedPerSecond: 1_000, p50Ms: 1 }),
      measured('insertOne', 64, { acceptedPerSecond: 1_500, p50Ms: 30 }),
      measured('placeBid/1000-auctions', 64, { acceptedPerSecond: 7_500, p50Ms: 36 }),
      measured('placeBid/hot-auction', 256, { acceptedPerSecond: 20_000 }),
    ]
    expect(verdicts({ measurements })).toEqual([
      ['1,000 auctions, 64 clients', 5, true],
      ['1,000 auctions, 64 clients', 1.2, false],
    ])
  })

  test('go by what a database can do, and by what was measured on it', () => {
    const measurements = [
      measured('insertOne', 64, { acceptedPerSecond: 1_000 }),
      measured('findOneAndUpdate/1000-auctions', 64, { acceptedPerSecond: 2_000 }),
      measured('placeBid/1000-auctions', 64, { acceptedPerSecond: 4_500 }),
    ]
    const rate = '1,000 auctions, 64 clients'
    expect(verdicts({ measurements })).toEqual([[rate, 4.5, false]])
    expect(verdicts({ measurements, databases: [{ name: database, hasAtomicUpdates: true }] })).toEqual([
      [rate, 4.5, true],
      [rate, 2.25, false],
    ])
    expect(verdicts({ measurements, databases: [{ name: 'another', hasAtomicUpdates: true }] })).toEqual([])
  })

  test('take only ten thousand closings for ten thousand closings', () => {
    const measurements = [measured('closeDue', 64, { tookMs: 150 }), measured('append-ends', 64, { tookMs: 100 })]
    expect(verdicts({ measurements, due: 9_999 })).toEqual([])
    expect(verdicts({ measurements })).toEqual([['closing 10,000 auctions while bids go on', 1.5, true]])
  })

  test('count refusals as decisions', () => {
    const measurements = [measured('decide', 1, { acceptedPerSecond: 3e6, refusedPerSecond: 3e6 })]
    expect(verdicts({ measurements })).toEqual([['decisions/s', 6e6, true]])
  })

  test('compare the service with a log to bare Fastify without one', () => {
    const measurements = [
      measured('bare-fastify/quiet', 64, { cpuMicrosPerRequest: 40 }),
      measured('bare-fastify/logging', 64, { cpuMicrosPerRequest: 80 }),
      measured('service/quiet', 64, { cpuMicrosPerRequest: 50 }),
      measured('service/logging', 64, { cpuMicrosPerRequest: 60 }),
    ]
    expect(verdicts({ measurements })).toEqual([
      ['HTTP', 1.25, true],
      ['HTTP with a log line per request', 1.5, false],
    ])
  })

  test('take only ten million bids for ten million bids', () => {
    expect(verdicts({ memory: memory(9_999_999) })).toEqual([])
    expect(verdicts({ memory: memory(10_000_000) }).map(([, ...verdict]) => verdict)).toEqual([
      [0.1, true],
      [12, false],
    ])
  })
})
