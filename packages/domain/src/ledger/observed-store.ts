import type { SafeObserver, StoreOperation } from '../observer.ts'
import type { Store } from '../store.ts'

/** The store, with each call told to the observer, its end as well. */
export function createObservedStore(store: Store, { onStoreCall }: Pick<SafeObserver, 'onStoreCall'>): Store {
  async function told<Value>(operation: StoreOperation, call: () => Promise<Value>): Promise<Value> {
    const end = onStoreCall(operation)
    try {
      const value = await call()
      end()
      return value
    } catch (cause) {
      end({ cause })
      throw cause
    }
  }

  return {
    partitions: store.partitions,
    partitionOf: store.partitionOf,
    insertAuction: (auction) => told('insertAuction', () => store.insertAuction(auction)),
    findAuction: (id) => told('findAuction', () => store.findAuction(id)),
    findAuctionByKey: (key) => told('findAuctionByKey', () => store.findAuctionByKey(key)),
    listAuctions: (query) => told('listAuctions', () => store.listAuctions(query)),
    append: (entries) => told('append', () => store.append(entries)),
    findHeads: (ids, signal) => told('findHeads', () => store.findHeads(ids, signal)),
    findEntries: (ids, partition) => told('findEntries', () => store.findEntries(ids, partition)),
    findEntriesByKey: (keys, partition) => told('findEntriesByKey', () => store.findEntriesByKey(keys, partition)),
    listEntries: (auctionId, query) => told('listEntries', () => store.listEntries(auctionId, query)),
    claimIdBlock: (kind, block) => told('claimIdBlock', () => store.claimIdBlock(kind, block)),
    highestIdBlock: (kind) => told('highestIdBlock', () => store.highestIdBlock(kind)),
  }
}
