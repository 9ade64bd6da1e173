import { describe, expect, test } from 'vitest'
import { pageOf } from '../../src/report/markdown.ts'
import { number } from '../../src/report/numbers.ts'
import type { Results } from '../../src/report/results.ts'
import { asMarkdown, asText } from '../../src/report/table.ts'
import { tablesOf } from '../../src/report/tables.ts'

const results: Results = {
  environment: {
    date: '2030-01-31T12:00:00.000Z',
    node: 'v24.9.0',
    system: 'Linux 6',
    cpuModel: 'CPU',
    cpuCount: 2,
    memoryGigabytes: 8,
    databases: [
      { name: 'one', kind: 'server', version: '8.0.1', hasAtomicUpdates: true },
      { name: 'two', kind: 'server', version: '7.0.42', ferretdbVersion: '1.24', hasAtomicUpdates: false },
    ],
  },
  options: {
    sections: ['bids'],
    clients: [1],
    connections: 20,
    due: 10_000,
    seconds: 2,
    warmupSeconds: 0.5,
    rounds: 3,
    httpRounds: 5,
  },
  targets: [
    { database: 'one', text: 'bids/s', bound: 'at least', wanted: 5, measured: 4.5, reached: false },
    { database: 'two', text: 'bids/s', bound: 'at least', wanted: 4, measured: 4.5, reached: true },
    { text: 'growth', bound: 'at most', wanted: 5, measured: undefined, reached: undefined },
  ],
  measurements: [
    {
      section: 'bids',
      database: 'one',
      series: 'insertOne',
      label: 'raw insertOne',
      clients: 1,
      median: { acceptedPerSecond: 1234.5, refusedPerSecond: 0, p50Ms: 0.8041 },
      rounds: [],
    },
    {
      section: 'bids',
      database: 'one',
      series: 'find-then-insert/hot-auction',
      label: 'find | insert',
      clients: 256,
      median: { acceptedPerSecond: 99.44, refusedPerSecond: 0, p50Ms: 12.34, wrongOutcomes: 1200, wrongPercent: 45.67 },
      rounds: [],
    },
    {
      section: 'processes',
      database: 'two',
      series: 'two-processes/spread/1',
      label: 'one hot auction, spread',
      clients: 4,
      median: { acceptedPerSecond: 100, weakerShare: 0.4, calmP50Ms: 5 },
      rounds: [],
    },
  ],
  notMeasured: [{ section: 'bids', database: 'one', label: 'withTransaction', reason: 'no transactions' }],
  memory: [],
  notes: ['Read this first.'],
}

describe('numbers', () => {
  test.each([
    [1234567.8, '1,234,568'],
    [100.4, '100'],
    [99.44, '99.4'],
    [0.80412, '0.804'],
    [0, '0'],
  ])('%d is written %s', (value, text) => {
    expect(number(value)).toBe(text)
  })
})

describe('tables', () => {
  const [oneTargets, oneBids, twoTargets, twoProcesses, otherTargets, ...others] = tablesOf(results)

  test('say which targets are reached, for each database and for the rest', () => {
    expect(oneTargets).toMatchObject({
      title: 'one: Targets, within this run',
      rows: [['bids/s', 'at least 5', '4.5', 'not reached']],
    })
    expect(twoTargets?.rows).toEqual([['bids/s', 'at least 4', '4.5', 'reached']])
    expect(otherTargets).toMatchObject({
      title: 'Targets, within this run',
      rows: [['growth', 'at most 5', '', 'not run']],
    })
  })

  test('have columns only for what happened, and a word for what was not measured', () => {
    expect(others).toEqual([])
    expect(oneBids?.title).toBe('one: Bids')
    expect(oneBids?.head).toEqual(['', 'clients', 'accepted/s', 'p50 ms', 'wrong outcomes'])
    expect(oneBids?.rows).toEqual([
      ['raw insertOne', '1', '1,235', '0.804', ''],
      ['find | insert', '256', '99.4', '12.3', '1,200 (45.7 %)'],
      ['withTransaction', '', 'no transactions', '', ''],
    ])
    expect(twoProcesses?.head).toEqual(['', 'clients', 'accepted/s', "weaker's share", 'calm p50 ms'])
  })

  test('stand in columns on a terminal', () => {
    const table = {
      title: 'Two',
      head: ['what', 'n'],
      rows: [
        ['a longer one', '7'],
        ['b', '1,000'],
      ],
    }
    expect(asText(table).split('\n')).toEqual([
      'Two',
      '',
      'what              n',
      '------------  -----',
      'a longer one      7',
      'b             1,000',
      '',
    ])
  })

  test('are escaped in Markdown', () => {
    const table = { title: 'One', head: ['what', 'n'], rows: [['a | b', '7']] }
    expect(asMarkdown(table).split('\n')).toEqual([
      '## One',
      '',
      '| what | n |',
      '| --- | ---: |',
      '| a \\| b | 7 |',
      '',
    ])
  })
})

describe('the page', () => {
  test('has what a reader needs to judge the numbers', () => {
    const page = pageOf(results, true)
    expect(page).toContain(
      '2030-01-31 12:00, Node.js v24.9.0, Linux 6, 2 x CPU, one (MongoDB 8.0.1), two (FerretDB, as MongoDB 7.0.42)',
    )
    expect(page).toContain('Medians of 3 rounds of 2 s')
    expect(page).toContain('> Read this first.')
    expect(page).toContain('](results.svg)')
  })

  test('shows no chart where there is none', () => {
    expect(pageOf(results, false)).not.toContain('results.svg')
  })
})
