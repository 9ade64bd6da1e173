import { describe, expect, test } from 'vitest'
import type { Measurement } from '../../src/measure/measurement.ts'
import type { Sample } from '../../src/measure/sample.ts'
import { soaks } from '../../src/memory/section.ts'
import { judgeTargets } from '../../src/report/targets.ts'

const measured = (series: string, clients: number, median: Sample, database?: string): Measurement => {
  const measurement = { section: 'bids', series, label: series, clients, median, rounds: [median] } as const
  return database === undefined ? measurement : { ...measurement, database }
}

const slow = { name: 'slow', kind: 'server', hasAtomicUpdates: false } as const
const fast = { name: 'fast', kind: 'server', hasAtomicUpdates: true } as const
const file = { name: 'file', kind: 'embedded' } as const
const nothing = { databases: [], measurements: [], memory: [], due: 10_000 }

/** Watches over all the bids that each is for, less some. */
const memory = (missing: number) =>
  soaks.map(({ label, auctions, bids }) => ({
    label,
    auctions,
    samples: [{ bids: bids - missing, bidsPerSecond: 1_000, rssMegabytes: 300, heapUsedMegabytes: 80 }],
    rssGrowthPercent: 12,
    heapGrowthPercent: 0.1,
    lastToFirst: 0.7,
  }))

/** The verdicts that are not "not run", by the beginning of their text. */
const verdicts = (run: Partial<Parameters<typeof judgeTargets>[0]>) =>
  judgeTargets({ ...nothing, ...run })
    .filter(({ reached }) => reached !== undefined)
    .map(({ text, measured, reached }) => [text.split(':')[0], measured, reached])

describe('targets', () => {
  test('are not judged when nothing was measured', () => {
    const targets = judgeTargets({ ...nothing, databases: [slow, fast] })
    expect(targets.filter(({ database }) => database === 'slow').length).toBeGreaterThan(15)
    expect(targets.filter(({ database }) => database === 'fast').length).toBeGreaterThan(15)
    expect(targets.filter(({ database }) => database === undefined).length).toBeGreaterThan(5)
    expect(targets.every(({ measured, reached }) => measured === undefined && reached === undefined)).toBe(true)
  })

  test('are ratios of the same number of clients in the same run', () => {
    const measurements = [
      measured('insertOne', 1, { acceptedPerSecond: 1_000, p50Ms: 1 }, 'slow'),
      measured('insertOne', 64, { acceptedPerSecond: 1_500, p50Ms: 30 }, 'slow'),
      measured('placeBid/1000-auctions', 64, { acceptedPerSecond: 7_500, p50Ms: 36 }, 'slow'),
      measured('placeBid/hot-auction', 256, { acceptedPerSecond: 20_000 }, 'slow'),
    ]
    expect(verdicts({ databases: [slow], measurements })).toEqual([
      ['1,000 auctions, 64 clients', 5, true],
      ['1,000 auctions, 64 clients', 1.2, false],
    ])
  })

  test('are told of each database by what was measured there, and depend on what it can do', () => {
    const rates = (database: string, ours: number) => [
      measured('insertOne', 64, { acceptedPerSecond: 100 }, database),
      measured('findOneAndUpdate/1000-auctions', 64, { acceptedPerSecond: 150 }, database),
      measured('placeBid/1000-auctions', 64, { acceptedPerSecond: ours }, database),
    ]
    const run = { databases: [slow, fast], measurements: [...rates('slow', 450), ...rates('fast', 600)] }
    expect(verdicts(run)).toEqual([
      ['1,000 auctions, 64 clients', 4.5, false],
      ['1,000 auctions, 64 clients', 6, true],
      ['1,000 auctions, 64 clients', 4, true],
    ])
  })

  test('compare bids in a file to rows that are written one by one, with keys to those with keys', () => {
    const measurements = [
      measured('sqlite-insert', 1, { acceptedPerSecond: 1_000 }, 'file'),
      measured('sqlite-insert-with-keys', 1, { acceptedPerSecond: 800 }, 'file'),
      measured('sqlite-placeBid/1000-auctions', 1, { acceptedPerSecond: 700 }, 'file'),
      measured('sqlite-placeBid/1000-auctions', 64, { acceptedPerSecond: 12_000 }, 'file'),
      measured('sqlite-placeBid-with-keys/hot-auction', 256, { acceptedPerSecond: 32_000 }, 'file'),
    ]
    expect(verdicts({ databases: [file], measurements }).map(([, ...verdict]) => verdict)).toEqual([
      [12, true],
      [0.7, false],
      [40, false],
    ])
  })

  test('compare the service on a file to the service in memory', () => {
    const measurements = [
      measured('service/quiet', 64, { cpuMicrosPerRequest: 50 }),
      measured('service/sqlite', 64, { cpuMicrosPerRequest: 55, loopDelayP99Ms: 12 }),
      measured('reads/memory', 64, { acceptedPerSecond: 10_000 }),
      measured('reads/sqlite', 64, { acceptedPerSecond: 9_500 }),
    ]
    expect(verdicts({ measurements }).map(([, ...verdict]) => verdict)).toEqual([
      [1.1, true],
      [12, false],
      [0.95, true],
    ])
  })

  test('compare bids with keys to bids without', () => {
    const measurements = [
      measured('placeBid/1000-auctions', 1, { acceptedPerSecond: 100 }, 'slow'),
      measured('placeBid-with-keys/1000-auctions', 1, { acceptedPerSecond: 80 }, 'slow'),
      measured('placeBid/hot-auction', 256, { acceptedPerSecond: 1_000 }, 'slow'),
      measured('placeBid-with-keys/hot-auction', 256, { acceptedPerSecond: 750 }, 'slow'),
    ]
    expect(verdicts({ databases: [slow], measurements })).toEqual([
      ['one client, a key on every bid', 0.8, false],
      ['one hot auction, 256 clients, a key on every bid', 0.75, true],
    ])
  })

  test('take only ten thousand auctions for ten thousand auctions', () => {
    const measurements = [
      measured('bids-alone', 64, { p99Ms: 10 }, 'slow'),
      measured('append-ends', 64, { tookMs: 500 }, 'slow'),
      measured('closeDue', 64, { tookMs: 900, p99Ms: 30 }, 'slow'),
    ]
    const run = { databases: [slow], measurements }
    expect(verdicts(run).map(([, ...verdict]) => verdict)).toEqual([
      [1.8, true],
      [3, false],
    ])
    expect(verdicts({ ...run, due: 9_999 })).toEqual([])
  })

  test('compare two processes that share auctions to two that do not', () => {
    const measurements = [
      measured('two-processes/sticky/20', 80, { acceptedPerSecond: 1_000, calmP50Ms: 4, weakerShare: 0.5 }, 'slow'),
      measured('two-processes/spread/20', 80, { acceptedPerSecond: 700, calmP50Ms: 10, weakerShare: 0.4 }, 'slow'),
    ]
    expect(verdicts({ databases: [slow], measurements }).map(([, ...verdict]) => verdict)).toEqual([
      [0.4, true],
      [0.7, true],
      [2.5, false],
    ])
  })

  test('count refusals as decisions', () => {
    const measurements = [measured('decide', 1, { acceptedPerSecond: 3e6, refusedPerSecond: 3e6 })]
    expect(verdicts({ measurements })).toEqual([['decisions/s', 6e6, true]])
  })

  test('compare a hot auction where each bid meets a proxy to one without', () => {
    const measurements = [
      ...['fast', 'slow'].flatMap((database) => [
        measured('placeBid/hot-auction', 256, { acceptedPerSecond: 1_000 }, database),
        measured('placeBid/hot-auction-with-proxy', 256, { acceptedPerSecond: 700 }, database),
      ]),
      measured('sqlite-placeBid/hot-auction', 256, { acceptedPerSecond: 1_000 }, 'file'),
      measured('sqlite-placeBid/hot-auction-with-proxy', 256, { acceptedPerSecond: 500 }, 'file'),
      measured('lanes-in-memory/hot-auction/mixed', 256, { acceptedPerSecond: 100_000 }),
      measured('lanes-in-memory/hot-auction-with-proxy', 256, { acceptedPerSecond: 80_000 }),
    ]
    const judged = verdicts({ databases: [fast, slow, file], measurements })
    expect(judged.filter(([, measured]) => Number(measured) < 1)).toEqual([
      ['one hot auction, 256 clients, each bid meets a proxy', 0.7, true],
      ['one hot auction, 256 clients, each bid meets a proxy', 0.7, true],
      ['one hot auction, 256 clients, each bid meets a proxy', 0.5, false],
      ['lanes on the in-memory store, one hot auction, 256 clients, each bid meets a proxy', 0.8, true],
    ])
  })

  test('compare the service with a log to bare Fastify without one', () => {
    const measurements = [
      measured('bare-fastify/quiet', 64, { timesCpu: 1, timesP99: 1 }),
      measured('bare-fastify/logging', 64, { timesCpu: 2 }),
      measured('service/quiet', 64, { timesCpu: 1.3, timesP99: 2.5 }),
      measured('service/logging', 64, { timesCpu: 1.6 }),
    ]
    expect(verdicts({ measurements })).toEqual([
      ['HTTP', 1.3, true],
      ['HTTP with a log line per request', 1.6, false],
      ['HTTP', 2.5, false],
    ])
  })

  test('take only ten million bids for ten million bids', () => {
    expect(verdicts({ memory: memory(1) })).toEqual([])
    expect(verdicts({ memory: memory(0) }).map(([, ...verdict]) => verdict)).toEqual([
      [0.1, true],
      [12, false],
      [0.1, true],
      [12, false],
      [0.7, false],
      [0.1, true],
      [12, false],
    ])
  })
})
