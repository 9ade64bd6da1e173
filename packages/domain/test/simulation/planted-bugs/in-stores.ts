import type { AuctionId } from '../../../src/values/ids.ts'
import { type PlantedBugs, withStore } from './planted.ts'

/** Bugs of adapters. */
export const bugsInStores: PlantedBugs = {
  'an entry with a taken sequence is stored at the next one': withStore((right) => ({
    async append(entries) {
      const stored = await right.append(entries)
      for (const entry of entries.slice(stored)) {
        const [head] = await right.findHeads([entry.auctionId])
        await right.append([{ ...entry, sequence: (head?.sequence ?? 0) + 1 }])
      }
      return entries.length
    },
  })),

  'the key of the request is not unique': withStore((right) => ({
    async append(entries) {
      const stored = await right.append(entries)
      const rest = entries.slice(stored).map(({ requestKey: _, ...entry }) => entry)
      return rest.length === 0 ? stored : stored + (await right.append(rest))
    },
  })),

  'the key of a creation is not unique': withStore((right) => ({
    async insertAuction(auction) {
      const { requestKey: _, ...unkeyed } = auction
      return (await right.insertAuction(auction)) === 'taken' ? right.insertAuction(unkeyed) : 'inserted'
    },
  })),

  'an append reports all entries as stored, even if keys were taken': withStore((right) => ({
    async append(entries) {
      await right.append(entries)
      return entries.length
    },
  })),

  'entries are not found by their ids': withStore(() => ({ findEntries: async () => [] })),

  'entries are not found by their keys': withStore(() => ({ findEntriesByKey: async () => [] })),

  'auctions are not found by their keys': withStore((right) => ({
    findAuctions: async (wanted) => ('ids' in wanted ? right.findAuctions(wanted) : []),
  })),

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

  'a block of ids is claimed twice': withStore(() => ({ claimNextIdBlock: async () => 1 })),
}
