import { maxScannedAuctions } from '@auction/domain/store'
import { sampleAuction, sampleEntry } from '@auction/domain/testing/samples'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/memory-store.ts'

test('an entry that would leave a gap in its ledger is a fault of its caller, and is not stored', async () => {
  const store = createMemoryStore()
  const entry = sampleEntry({ id: 5, sequence: 2 })
  await expect(store.append([entry])).rejects.toThrow(new RangeError('entry 5 would leave a gap before its sequence'))
  expect(await store.findEntries([entry.id])).toEqual([])
})

test('a page is not given up before as many auctions were looked at as may be', async () => {
  const store = createMemoryStore()
  for (let id = 1; id <= maxScannedAuctions + 1; id++) await store.insertAuction(sampleAuction({ id }))
  const { productId } = sampleAuction({ productId: 999 })
  expect(await store.listAuctions({ order: 'newest', limit: 10, productId })).toMatchObject({
    items: [],
    next: { order: 'newest', id: 2 },
  })
})
