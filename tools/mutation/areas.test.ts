import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { areasOf } from './areas.ts'

const namesOf = (wanted: readonly string[]) => areasOf(wanted).map(({ name }) => name)

test('all sources are those of the domain, but for its contract suites, and of every adapter with tests', () => {
  const areas = areasOf([])
  expect(namesOf([])).toEqual(expect.arrayContaining(['domain', 'jwt', 'memory', 'mongodb', 'postgresql']))
  expect(areas[0]?.sources).toContain('packages/domain/src/ledger/lane.ts')
  expect(areas[0]?.sources.filter((source) => source.includes('/testing/'))).toEqual([])
  for (const { tests } of areas) expect(globSync([...tests]).length).toBeGreaterThan(0)
})

test('a file, a folder, a glob and lines tell what is meant', () => {
  const [domain, memory, ...others] = areasOf([
    'packages/domain/src/money.ts',
    'packages/domain/src/ledger/lane.ts:80-120',
    'packages/domain/src/ledger/pace.ts:12',
    'packages/adapters/src/memory/',
  ])
  expect(domain?.sources.toSorted()).toEqual([
    'packages/domain/src/ledger/lane.ts:80-120',
    'packages/domain/src/ledger/pace.ts:12-12',
    'packages/domain/src/money.ts',
  ])
  expect(memory?.sources).toContain('packages/adapters/src/memory/sorted-list.ts')
  expect(others).toEqual([])
  expect(namesOf(['packages/adapters/src/**/*.ts'])).not.toContain('domain')
})

test('what matches no source is told', () => {
  expect(() => areasOf(['packages/domain/src/nothing.ts'])).toThrow(
    new RangeError('no source that is mutated matches packages/domain/src/nothing.ts'),
  )
})
