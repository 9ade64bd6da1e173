import type { IdKind, Store } from '@auction/domain/store'
import { createMemoryAuctions } from './auctions.ts'
import { createMemoryCheckpoints } from './checkpoints.ts'
import { createMemoryLedger } from './ledger.ts'

/** A store in memory, for tests and for a trial of the service. Its data ends with the process. */
export function createMemoryStore(): Store {
  const claimed: Record<IdKind, Set<number>> = { auctions: new Set(), entries: new Set() }
  return {
    ...createMemoryAuctions(),
    ...createMemoryLedger(),
    checkpoints: createMemoryCheckpoints(),
    async claimIdBlock(kind, block) {
      if (claimed[kind].has(block)) return 'taken'
      claimed[kind].add(block)
      return 'claimed'
    },
    highestIdBlock: async (kind) => (claimed[kind].size === 0 ? undefined : Math.max(...claimed[kind])),
  }
}
