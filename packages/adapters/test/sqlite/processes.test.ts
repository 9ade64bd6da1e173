import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { startScript, testFile } from './support.ts'

test('concurrent appends of several processes to one auction leave no gap, and store nothing twice', async () => {
  const { file, open } = await testFile()
  const store = await open()
  const children = [1, 2, 3].map((number) => startScript('append-in-competition.ts', [file, number, 100]))
  await Promise.all(children.map((child) => child.ended()))

  const ledger = (await store.listEntries(sampleAuction().id, { limit: 1_000 })).toReversed()
  expect(ledger.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
  const stored = new Map(ledger.map(({ id, sequence }) => [id, sequence]))
  for (const child of children) {
    expect(child.lines().length).toBe(100)
    for (const line of child.lines()) {
      const { id, sequence } = JSON.parse(line)
      expect(stored.get(id)).toBe(sequence)
    }
  }
})
