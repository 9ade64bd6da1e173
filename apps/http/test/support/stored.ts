import { isBidEntry } from '@auction/domain/ledger/entry'
import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** How many auctions are stored, and how many bids on the first of them: enough to see that nothing changed. */
export async function stored({ store }: Pick<TestServer, 'store'>): Promise<{ auctions: number; bids: number }> {
  const { items } = await store.listAuctions({ limit: 1_000, order: 'newest' })
  const [entries = []] = await Promise.all(items.map(({ auction }) => store.listEntries(auction.id, { limit: 1_000 })))
  return { auctions: items.length, bids: entries.filter(isBidEntry).length }
}

/** Runs a step, and checks that it stored nothing. */
export async function unchanged<Value>(server: TestServer, step: () => Promise<Value>): Promise<Value> {
  const before = await stored(server)
  const value = await step()
  expect(await stored(server)).toEqual(before)
  return value
}
