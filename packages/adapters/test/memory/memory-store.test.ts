import { maxScannedAuctions } from '@auction/domain/store'
import { sampleAuction, sampleEntry } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/memory-store.ts'

test('an entry that would leave a gap in its ledger is an error of the caller, and is not stored', async () => {
  const store = createMemoryStore()
  const entry = sampleEntry({ id: 5, sequence: 2 })
  await expect(store.append([entry])).rejects.toThrow(new RangeError('entry 5 would leave a gap before its sequence'))
  expect(await store.findEntries([entry.id])).toEqual([])
})

test('a page ends early only after the maximum number of examined auctions', async () => {
  const store = createMemoryStore()
  for (let id = 1; id <= maxScannedAuctions + 1; id++) await store.insertAuction(sampleAuction({ id }))
  const { productId } = sampleAuction({ productId: 999 })
  expect(await store.listAuctions({ order: 'newest', limit: 10, productId })).toMatchObject({
    items: [],
    next: { order: 'newest', id: 2 },
  })
})

test('a page of checkpoints does not cost more the more there are', async () => {
  const { checkpoints } = createMemoryStore()
  const all = Array.from({ length: 50_000 }, (_, index) => ({
    auctionId: sampleAuction({ id: index + 1 }).id,
    name: 'mails',
    sequence: 1,
  }))
  await checkpoints.save(all)
  const startMs = performance.now()
  let listed = 0
  for (let after: (typeof all)[0] | undefined; ; ) {
    const page = await checkpoints.list({ after, limit: 100 })
    if (page.length === 0) break
    listed += page.length
    after = page.at(-1)
  }
  expect(listed).toBe(all.length)
  // The pages take less than 0.1 s, and would take more than 10 s if each one sorted all checkpoints.
  expect(performance.now() - startMs).toBeLessThan(3_000)
})
