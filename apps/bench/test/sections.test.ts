import { describe, expect, test } from 'vitest'
import { describeMongo } from '../../../tools/vitest/mongodb.ts'
import { describePostgresql } from '../../../tools/vitest/postgresql.ts'
import { describeWrk } from '../../../tools/vitest/wrk.ts'
import { medianOf, metrics, type Row } from '../src/measure/rows.ts'
import type { Options } from '../src/options.ts'
import { chartOf } from '../src/report/chart.ts'
import { pageOf } from '../src/report/page.ts'
import { run, type SectionName } from '../src/run.ts'
import type { StoreRequest } from '../src/stores/stores.ts'

const toy: Options = {
  sections: [],
  stores: [],
  auctions: 10,
  httpAuctions: 200,
  closedAuctions: 20,
  soakBids: 1,
  soakSamples: 4,
  hotCounts: [1, 2],
  rounds: 1,
  seconds: 0.05,
  warmupSeconds: 0.01,
  outFolder: '',
}

/** Each line has a figure, but for what the store can't do. */
async function measures(section: SectionName, store?: StoreRequest, isImpossible = (_row: Row): boolean => false) {
  const rows: Row[] = []
  for await (const { added } of run({ ...toy, sections: [section], stores: store ? [store] : [] }, () => undefined)) {
    rows.push(...added)
  }
  expect(rows).not.toEqual([])
  for (const row of rows.filter((its) => !isImpossible(its))) {
    const { label, failure } = row
    const figures = Object.keys(metrics).map((metric) => medianOf(row, metric as keyof typeof metrics)) // Its keys.
    const known = figures.filter((figure) => figure !== undefined)
    expect({ label, failure, isMeasured: known.length > 0 && known.every(Number.isFinite) }).toEqual({
      label,
      failure: undefined,
      isMeasured: true,
    })
  }
  expect(pageOf({ rows, added: rows, versions: [] }, toy)).toContain(rows[0]?.label)
  expect(chartOf(rows)).toMatch(/^<svg[^>]*>[\s\S]*<\/svg>\n$/)
}

describe('a section at toy size has a figure on each line', { timeout: 120_000 }, () => {
  test('decide', () => measures('decide'))
  test('bids in memory', () => measures('bids', { kind: 'memory', name: 'memory' }))
  test('bids on SQLite', () => measures('bids', { kind: 'sqlite', name: 'SQLite' }))
  test('closing on SQLite', () => measures('closing', { kind: 'sqlite', name: 'SQLite' }))
  test('start', () => measures('start'))

  describePostgresql('with a cluster', (database) => {
    const postgresql = async (): Promise<StoreRequest> => ({
      kind: 'postgresql',
      name: 'PostgreSQL',
      at: await database(),
    })
    test('bids', async () => measures('bids', await postgresql()))
    test('processes', async () => measures('processes', await postgresql()))
  })

  describeMongo('with a server', (database) => {
    const mongodb = (): StoreRequest => ({ kind: 'mongodb', name: 'MongoDB', at: database() })
    const isTransaction = ({ key }: Row) => key.startsWith('withTransaction')
    test('bids', () => measures('bids', mongodb(), isTransaction))
    test('closing', () => measures('closing', mongodb()))
    test('processes', () => measures('processes', mongodb()))
  })

  describeWrk('with its load', () => {
    test('http', () => measures('http'))
    test('soak', () => measures('soak'))
  })
})

test('a section that fails has a row that says why, and the next section runs', async () => {
  const stores: readonly StoreRequest[] = [
    { kind: 'mongodb', name: 'broken', at: 'exit 1' },
    { kind: 'memory', name: 'memory' },
  ]
  const rows: Row[] = []
  for await (const { added } of run({ ...toy, sections: ['bids'], stores }, () => undefined)) rows.push(...added)
  const [failed, ...measured] = rows
  expect(failed).toMatchObject({
    store: { name: 'broken' },
    failure: expect.stringContaining('ended too early'),
  })
  expect(measured.map(({ store, failure }) => ({ name: store?.name, failure }))).toEqual(
    measured.map(() => ({ name: 'memory', failure: undefined })),
  )
  expect(measured.length).toBeGreaterThan(0)
})
