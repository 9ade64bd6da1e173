import type { Checkpoints } from '@auction/delivery/checkpoints'
import { isStoreUnavailable } from '@auction/domain/errors'
import type { CompleteStore } from '@auction/domain/store'
import type { ProxiedStore } from '@auction/testing/proxied-store'
import { sampleAuction, sampleEntry, sampleKey } from '@auction/testing/samples'
import { expect, test } from 'vitest'

/** Our stores on servers. */
export type ServerStore = CompleteStore & {
  readonly checkpoints: Checkpoints
  ping(): Promise<void>
  close(): Promise<void>
}

const { id: entryId, auctionId } = sampleEntry()

/** Every operation of a store. The writes use unique keys; `round` distinguishes those of one use from the next. */
const operations = (store: ServerStore, round: number) => ({
  insertAuction: () => store.insertAuction(sampleAuction({ id: round })),
  findAuction: () => store.findAuction(auctionId),
  findAuctionsByKey: () => store.findAuctions({ keys: [sampleKey('a')] }),
  listAuctions: () => store.listAuctions({ order: 'newest', limit: 10 }),
  updateAgenda: () => store.updateAgenda([{ auctionId, dueMs: round }]),
  append: () => store.append([sampleEntry({ id: round * 10, sequence: round })]),
  appendMany: () =>
    store.append([1, 2].map((n) => sampleEntry({ id: round * 10 + n, auctionId: 2, sequence: round * 10 + n }))),
  appendContended: () =>
    store.append([sampleEntry({ id: round * 10 + 3, auctionId: 3, sequence: round })], { isContended: true }),
  findHeads: () => store.findHeads([auctionId]),
  findEntries: () => store.findEntries([entryId]),
  findEntriesByKey: () => store.findEntriesByKey([sampleKey('a')]),
  findAuctions: () => store.findAuctions({ ids: [auctionId] }),
  listBidderEntries: () => store.listBidderEntries(sampleEntry().event.bidderId, { limit: 10 }),
  listEntries: () => store.listEntries(auctionId, { limit: 10 }),
  claimNextIdBlock: () => store.claimNextIdBlock('entries'),
  ping: () => store.ping(),
})

type Outcome = 'responded' | 'unavailable'

/** Calls all operations concurrently. Returns the outcomes that are not the expected one. */
export async function othersThan(expected: Outcome, store: ServerStore, round: number): Promise<readonly string[]> {
  const outcomes = Object.entries(operations(store, round)).map(async ([name, operation]) => {
    const outcome = await operation().then(
      () => 'responded',
      (error: unknown) => (isStoreUnavailable(error) && error.cause instanceof Error ? 'unavailable' : String(error)),
    )
    return outcome === expected ? [] : [`${name}: ${outcome}`]
  })
  return (await Promise.all(outcomes)).flat()
}

/** A test of every store on a server. The contract has the others. */
export function closingDuringOutage(storeBehindProxy: () => Promise<Omit<ProxiedStore<ServerStore>, 'close'>>): void {
  test('does not prevent a store from closing, which fails calls in flight', async () => {
    const { store, proxy } = await storeBehindProxy()
    await store.ping()
    proxy.hang()
    const [ping, closed] = await Promise.allSettled([store.ping(), store.close()])
    expect(closed).toStrictEqual({ status: 'fulfilled', value: undefined })
    expect(ping).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } })
  })
}
