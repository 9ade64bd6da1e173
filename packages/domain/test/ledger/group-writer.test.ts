import { expect, test } from 'vitest'
import { createBatch, type Written } from '../../src/ledger/batch.ts'
import { createGroupWriter } from '../../src/ledger/group-writer.ts'
import { defaultLimits } from '../../src/limits.ts'
import type { Store } from '../../src/store.ts'
import { sampleEntries } from '../../src/testing/samples.ts'
import { createPlainStore } from '../support/plain-store.ts'
import { auctionIdOf, storeWith } from '../support/service.ts'

/** Appends entries of one auction as one batch, and returns how far they got. */
const writeBatch = (store: Store, entryCount: number, limits = {}) =>
  new Promise<Written>((resolve) => {
    const { append } = createGroupWriter(store, { ...defaultLimits, ...limits })
    append(createBatch(auctionIdOf(1), sampleEntries(entryCount), 'alone', resolve))
  })

test('a batch of more entries than an append may have is stored all the same', async () => {
  const store = createPlainStore()
  expect(await writeBatch(store, 3, { maxEntriesPerAppend: 2 })).toEqual({ outcome: 'stored', stored: 3 })
  expect((await store.findHeads([auctionIdOf(1)])).map(({ sequence }) => sequence)).toEqual([3])
})

test('an error that can not even be looked at leaves the outcome unknown, and holds up nobody', async () => {
  const error = Object.defineProperty(new Error('a bug'), 'code', {
    get() {
      throw new TypeError('a bug in the error')
    },
  })
  const store = storeWith(() => ({ append: () => Promise.reject(error) }))
  expect(await writeBatch(store, 1)).toMatchObject({ outcome: 'unknown', stored: 0 })
})
