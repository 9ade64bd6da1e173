import { describe, expect, test } from 'vitest'
import { describeMongo } from '../../../tools/vitest/mongodb.ts'
import { describeWith } from '../../../tools/vitest/needs.ts'
import { describePostgresql } from '../../../tools/vitest/postgresql.ts'
import { isLong } from '../../../tools/vitest/size.ts'
import { medianOf, metrics, type Row } from '../src/measure/rows.ts'
import type { Options, SectionName, StoreRequest } from '../src/options.ts'
import { pageOf } from '../src/report/page.ts'
import { run } from '../src/run.ts'

const toy: Options = {
  sections: [],
  stores: [],
  auctions: 10,
  httpAuctions: 200,
  watchedAuctions: 10,
  idleSeconds: 0.05,
  serverCounts: [2],
  warmBids: 20,
  sealedBids: 600,
  registeredBidders: 300,
  saleLots: 3,
  saleReaders: 4,
  saleSeconds: 0.2,
  rounds: 1,
  seconds: 0.05,
  warmupSeconds: 0.01,
  outFolder: '',
}

/** Expects a value on each line. */
async function measures(section: SectionName, store?: StoreRequest) {
  const rows: Row[] = []
  for await (const { added } of run({ ...toy, sections: [section], stores: store ? [store] : [] }, () => undefined)) {
    rows.push(...added)
  }
  expect(rows).not.toEqual([])
  for (const row of rows) {
    const { label, failure } = row
    const figures = Object.keys(metrics).map((metric) => medianOf(row, metric as keyof typeof metrics)) // The keys of `metrics`.
    const known = figures.filter((figure) => figure !== undefined)
    expect({ label, failure, isMeasured: known.length > 0 && known.every(Number.isFinite) }).toEqual({
      label,
      failure: undefined,
      isMeasured: true,
    })
  }
  expect(pageOf({ rows, added: rows, versions: [] }, toy)).toContain(rows[0]?.label)
}

describe('a section at a small size has a value on each line', () => {
  test('bids in memory', () => measures('bids', { kind: 'memory', uri: '' }))
  test('a close of sealed bids in memory', () => measures('sealed', { kind: 'memory', uri: '' }))

  test('registers in memory', () => measures('registers', { kind: 'memory', uri: '' }))

  if (!isLong) return

  test('bids on SQLite', () => measures('bids', { kind: 'sqlite', uri: '' }))
  test('streams on SQLite', () => measures('streams', { kind: 'sqlite', uri: '' }))
  test('sales on SQLite', () => measures('sales', { kind: 'sqlite', uri: '' }))

  describePostgresql('with a cluster', (database) => {
    const postgresql = async (): Promise<StoreRequest> => ({
      kind: 'postgresql',
      uri: await database(),
    })
    test('bids', async () => measures('bids', await postgresql()))
    test('streams', async () => measures('streams', await postgresql()))
    test('sales', async () => measures('sales', await postgresql()))
    describeWith('wrk', 'with its load', () =>
      describeWith('nginx', 'with several servers', () =>
        test('servers', async () => measures('servers', await postgresql())),
      ),
    )
  })

  describeMongo('with a server', (database) => {
    const mongodb = (): StoreRequest => ({ kind: 'mongodb', uri: database() })
    test('bids', () => measures('bids', mongodb()))
  })

  describeWith('wrk', 'with its load', () => {
    test('http', () => measures('http'))
  })
})

test('a section that fails has a row with the reason, and the next section runs', async () => {
  const stores: readonly StoreRequest[] = [
    { kind: 'postgresql', uri: 'postgresql://127.0.0.1:1/' },
    { kind: 'memory', uri: '' },
  ]
  const rows: Row[] = []
  for await (const { added } of run({ ...toy, sections: ['bids'], stores }, () => undefined)) rows.push(...added)
  const [failed, ...measured] = rows
  expect(failed).toMatchObject({
    store: 'postgresql',
    failure: expect.stringContaining('ECONNREFUSED'),
  })
  expect(measured.map(({ store, failure }) => ({ store, failure }))).toEqual(
    measured.map(() => ({ store: 'memory', failure: undefined })),
  )
  expect(measured.length).toBeGreaterThan(0)
})
