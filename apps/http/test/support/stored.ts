import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** The number of stored auctions and of their bids. */
export async function stored({ store }: Pick<TestServer, 'store'>): Promise<{ auctions: number; bids: number }> {
  const { items } = await store.listAuctions({ limit: 1_000, order: 'newest' })
  const ledgers = await Promise.all(items.map(({ auction }) => store.listEntries(auction.id, { limit: 1_000 })))
  const requests = ledgers.flat().filter(({ event: { type } }) => type === 'bid-placed' || type === 'maximum-raised')
  return { auctions: items.length, bids: requests.length }
}

/** Runs a step and checks that it stored nothing. */
export async function unchanged<Value>(server: TestServer, step: () => Promise<Value>): Promise<Value> {
  const before = await stored(server)
  const value = await step()
  expect(await stored(server)).toEqual(before)
  return value
}
