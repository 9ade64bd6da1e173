import type { IdKind, Store } from '@auction/domain/store'
import { createMemoryAuctions } from './auctions.ts'
import { createMemoryLedger } from './ledger.ts'

export type MemoryStoreOptions = {
  /** How many groups of auctions are written independently of each other; 1 if not given. */
  readonly partitions?: number
}

/** A store that lives as long as its process: for tests, and to try the service out. */
export function createMemoryStore({ partitions = 1 }: MemoryStoreOptions = {}): Store {
  const claimed: Record<IdKind, Set<number>> = { auctions: new Set(), entries: new Set(), periods: new Set() }
  return {
    partitions,
    partitionOf: (auctionId) => auctionId % partitions,
    ...createMemoryAuctions(),
    ...createMemoryLedger(),
    async claimIdBlock(kind, block) {
      if (claimed[kind].has(block)) return 'taken'
      claimed[kind].add(block)
      return 'claimed'
    },
    highestIdBlock: async (kind) => (claimed[kind].size === 0 ? undefined : Math.max(...claimed[kind])),
  }
}
