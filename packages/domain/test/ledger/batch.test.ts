import { describe, expect, test } from 'vitest'
import { type Batch, createBatch, dealOut, isSameEntry, resolveBatch, type Written } from '../../src/ledger/batch.ts'
import type { Entry } from '../../src/ledger/entry.ts'
import { sampleEntries, sampleEntry } from '../../src/testing/samples.ts'
import { auctionIdOf } from '../support/service.ts'

/** A batch of so many entries, and what it was resolved with. */
function createWatchedBatch(entryCount: number, auctionId = 1) {
  const written: Written[] = []
  const entries = sampleEntries(entryCount, { auctionId, afterId: auctionId * 100 })
  const batch = createBatch(auctionIdOf(auctionId), entries, 'alone', (outcome) => written.push(outcome))
  return { batch, written }
}

test('a batch is resolved once, with what was found out first', () => {
  const { batch, written } = createWatchedBatch(1)
  resolveBatch(batch, { outcome: 'stored', stored: 1 })
  resolveBatch(batch, { outcome: 'withdrawn', stored: 0 })
  expect(written).toEqual([{ outcome: 'stored', stored: 1 }])
})

describe('a stored prefix', () => {
  const storedOf = (batches: readonly { readonly batch: Batch }[]) => batches.map(({ batch }) => batch.stored)

  test('is dealt out to the batches of its group in their order', () => {
    const group = [createWatchedBatch(2, 1), createWatchedBatch(2, 2), createWatchedBatch(2, 3)]
    const incomplete = dealOut(
      group.map(({ batch }) => batch),
      3,
    )
    expect(storedOf(group)).toEqual([2, 1, 0])
    expect(incomplete.map(({ auctionId }) => auctionId)).toEqual([2, 3])
    expect(group.map(({ written }) => written)).toEqual([[{ outcome: 'stored', stored: 2 }], [], []])
  })

  test('goes on where the one before it ended', () => {
    const group = [createWatchedBatch(3, 1), createWatchedBatch(2, 2)]
    const batches = group.map(({ batch }) => batch)
    dealOut(batches, 2)
    expect(dealOut(batches, 2).map(({ auctionId }) => auctionId)).toEqual([2])
    expect(storedOf(group)).toEqual([3, 1])
  })
})

describe('an entry that is stored under the id of one’s own', () => {
  test('is one’s own', () => {
    expect(isSameEntry(sampleEntry(), sampleEntry())).toBe(true)
  })

  test.each<[string, Entry | undefined]>([
    ['there is none', undefined],
    ['its id is another', sampleEntry({ id: 2 })],
    ['its auction is another', sampleEntry({ auctionId: 2 })],
    ['its sequence is another', sampleEntry({ sequence: 2, atMs: sampleEntry().atMs })],
    ['its time is another', sampleEntry({ atMs: 1 })],
  ])('is not where %s', (_, found) => {
    expect(isSameEntry(sampleEntry(), found)).toBe(false)
  })
})
