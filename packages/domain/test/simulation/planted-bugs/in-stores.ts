import { type Entry, isBidEntry } from '../../../src/auction/entry.ts'
import type { Store } from '../../../src/store/store.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import type { PlantedBugs } from './planted.ts'

const withStore = (plant: (right: Store) => Partial<Store>) => () => ({
  store: (right: Store): Store => ({ ...right, ...plant(right) }),
})

function withoutCorrections({ state, ...entry }: Entry): Entry {
  const { corrections: _, ...others } = state
  return { ...entry, state: others }
}

/** Bugs of adapters. */
export const bugsInStores: PlantedBugs = {
  'the unique key of auction and sequence is dropped': () => ({
    steps: { isTakenEntry: ({ id }, stored) => stored.some((each) => each.id === id) },
  }),

  'the key of the request is not unique': () => ({
    steps: {
      isTakenEntry: ({ id, auctionId, sequence }, stored) =>
        stored.some((each) => each.id === id || (each.auctionId === auctionId && each.sequence === sequence)),
    },
  }),

  'the key of a creation is not unique': () => ({
    steps: { isTakenAuction: ({ id }, stored) => stored.some((each) => each.id === id) },
  }),

  'an append reports all entries as stored, even if keys were taken': withStore((right) => ({
    async append(entries) {
      await right.append(entries)
      return entries.length
    },
  })),

  'entries are not found by their ids': withStore(() => ({ findEntries: async () => [] })),

  'entries are not found by their keys': withStore(() => ({ findEntriesByKey: async () => [] })),

  'auctions are not found by their keys': withStore(() => ({ findAuctionByKey: async () => undefined })),

  'heads are read from a stale replica': withStore((right) => ({
    async findHeads(ids) {
      const newest = await Promise.all(ids.map((id) => right.listEntries(id, { limit: 2 })))
      return newest.flatMap((entries) => entries.slice(-1))
    },
  })),

  'entries after a taken key are stored': withStore((right) => ({
    async append(entries) {
      const stored = await right.append(entries)
      for (const later of entries.slice(stored + 1)) await right.append([later]).catch(() => {})
      return stored
    },
  })),

  'an auction is listed on the agenda only once': withStore((right) => {
    const returned = new Set<AuctionId>()
    return {
      async listAuctions(query) {
        const page = await right.listAuctions(query)
        if (query.order !== 'agenda') return page
        const items = page.items.filter(({ auction }) => !returned.has(auction.id))
        for (const { auction } of items) returned.add(auction.id)
        return { ...page, items }
      },
    }
  }),

  'a page of the agenda skips the auction after its position': withStore((right) => ({
    async listAuctions(query) {
      const page = await right.listAuctions(query)
      return query.order === 'agenda' && query.after ? { ...page, items: page.items.slice(1) } : page
    },
  })),

  'an auction that is read leaves the agenda': withStore((right) => ({
    updateAgenda: (updates) =>
      right.updateAgenda(
        updates.map(({ auctionId, ...update }) => ({
          auctionId,
          endedMs: 'dueMs' in update ? update.dueMs : update.endedMs,
        })),
      ),
  })),

  'auctions in overtime are not listed as open': withStore((right) => ({
    async listAuctions(query) {
      const page = await right.listAuctions(query)
      return query.order === 'agenda' && query.dueByMs === undefined
        ? { ...page, items: page.items.filter(({ auction, position }) => position.timeMs <= auction.endTime.epochMs) }
        : page
    },
  })),

  'a bid loses the corrected title': withStore((right) => ({
    append: (entries) => right.append(entries.map((entry) => (isBidEntry(entry) ? withoutCorrections(entry) : entry))),
  })),

  'a block of ids is claimed twice': withStore(() => ({ claimIdBlock: async () => 'claimed' })),
}
