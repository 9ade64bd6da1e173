import { expect, test } from 'vitest'
import { measureInRounds, median, type Row, ratioOf, type Sample } from '../src/measure/rows.ts'
import { tableOf } from '../src/report/page.ts'
import { targetsOf } from '../src/report/targets.ts'

const row = (section: string, key: string, rounds: readonly Sample[], its: Partial<Row> = {}): Row => {
  return { section, key, label: key, clients: 1, rounds, ...its }
}

test('a median ignores missing values', () => {
  expect([median([3, undefined, 1, 2]), median([1, Number.NaN, 2]), median([])]).toEqual([2, 1.5, undefined])
})

test('a ratio is the median of the ratios of each round', () => {
  const floor = row('bids', 'raw', [{ perSecond: 1 }, { perSecond: 10 }, { perSecond: 0 }])
  const mine = row('bids', 'mine', [{ perSecond: 4 }, { perSecond: 60 }, { perSecond: 5 }])
  expect(ratioOf(mine, floor, 'perSecond')).toBe(5)
})

test('a point that fails in a round keeps its other rounds, and other points keep theirs', async () => {
  let round = 0
  const failing = async () => {
    round += 1
    if (round === 1) throw new Error('no server')
    return { perSecond: 2 }
  }
  const points = [
    { key: 'a', label: 'a', clients: 1, measure: failing },
    { key: 'b', label: 'b', clients: 1, measure: async () => ({ perSecond: 3 }) },
  ]
  expect(await measureInRounds(points, 2, () => undefined)).toMatchObject([
    { key: 'a', rounds: [{}, { perSecond: 2 }], failure: 'no server' },
    { key: 'b', rounds: [{ perSecond: 3 }, { perSecond: 3 }], failure: undefined },
  ])
})

test('the report has the targets that a run covers, for each store by its rows', () => {
  const rows = [
    row('bids', 'raw x1', [{ perSecond: 10 }], { store: 'sqlite' }),
    row('bids', 'wide x64', [{ perSecond: 120 }], { store: 'sqlite' }),
    row('bids', 'wide x64', [{ perSecond: 1 }], { store: 'memory' }),
    row('http', 'bare', [{ cpuMicros: 100 }]),
    row('http', 'memory', [{ cpuMicros: 300 }]),
  ]
  expect(targetsOf(rows)).toEqual([
    { text: 'sqlite: 1,000 auctions x 64: times raw', bound: '>=', goal: 10, measured: 12, isReached: true },
    { text: 'memory: 1,000 auctions x 64: bids/s', bound: '>=', goal: 500_000, measured: 1, isReached: false },
    {
      text: 'bid over HTTP, in memory: times the CPU of bare Fastify',
      bound: '<=',
      goal: 1.7,
      measured: 3,
      isReached: false,
    },
  ])
})

test('a table has the measured metrics, the ratio to the floor, and the failures', () => {
  const rows = [
    row('bids', 'raw', [{ perSecond: 1_000, failedPerSecond: 0 }]),
    row('bids', 'mine', [{ perSecond: 2_500 }], { floor: ['raw', 'perSecond'], failure: 'a | b' }),
  ]
  expect(tableOf(rows).split('\n')).toEqual([
    '|      | clients | accepted/s | times floor |',
    '| ---- | ------: | ---------: | ----------: |',
    '| raw  |       1 |      1,000 |             |',
    '| mine |       1 |      2,500 |         2.5 |',
    '',
    'Failed:',
    '',
    '- mine: a | b',
  ])
})
