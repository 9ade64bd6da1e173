import type { AuctionId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/ledger/entry'
import type { Store } from '@auction/domain/store'

type LedgerPart = Pick<Store, 'append' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries'>

/** A ledger that remembers each auction's last entry and no other, so that whatever grows beside it is the domain's. */
export function createHeadsOnlyLedger(): LedgerPart {
  const heads = new Map<AuctionId, Entry>()
  return {
    async append(entries) {
      for (const entry of entries) heads.set(entry.auctionId, entry)
      return { stored: entries.length }
    },
    findHeads: async (ids) => ids.map((id) => heads.get(id)).filter((head) => head !== undefined),
    findEntries: async () => [],
    findEntriesByKey: async () => [],
    listEntries: async () => [],
  }
}
