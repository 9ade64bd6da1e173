import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { closable } from '../../src/store/closable.ts'

const closed = { code: 'store-unavailable', message: 'the store is closed' }

// The how-to page about adapters shows the rest: its store passes the contract.
test('a closed store also refuses the calls of its checkpoints, and keeps its other members', async () => {
  const closings: string[] = []
  const memory = { ...createMemoryStore(), description: 'a store', partOf: () => 1 }
  const store = closable(async () => void closings.push('closed'), memory)
  expect(await store.checkpoints.list({ limit: 1 })).toEqual([])
  await Promise.all([store.close(), store.close()])
  await expect(store.checkpoints.list({ limit: 1 })).rejects.toMatchObject(closed)
  await expect(store.findAuction(sampleAuction().id)).rejects.toMatchObject(closed)
  expect([closings, store.description, store.partOf()]).toEqual([['closed'], 'a store', 1])
})
