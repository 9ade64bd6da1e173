import type { AuctionId } from '../../../src/ids.ts'
import type { Store } from '../../../src/store.ts'
import type { PlantedBugs } from './planted.ts'

const withStore = (plant: (right: Store) => Partial<Store>) => () => ({
  store: (right: Store): Store => ({ ...right, ...plant(right) }),
})

/** Mistakes that adapters make. */
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

  'an append reports all as stored, whatever was taken': withStore((right) => ({
    async append(entries) {
      await right.append(entries)
      return { stored: entries.length }
    },
  })),

  'entries are not found by their ids': withStore(() => ({ findEntries: async () => [] })),

  'entries are not found by their keys': withStore(() => ({ findEntriesByKey: async () => [] })),

  'auctions are not found by their keys': withStore(() => ({ findAuctionByKey: async () => undefined })),

  'the entries of a group are mixed up': withStore((right) => ({
    append: (entries) => right.append(entries.toSorted((a, b) => b.auctionId - a.auctionId || a.sequence - b.sequence)),
  })),

  'heads are read from a copy that lags behind': withStore((right) => ({
    async findHeads(ids) {
      const newest = await Promise.all(ids.map((id) => right.listEntries(id, { limit: 2 })))
      return newest.flatMap((entries) => entries.slice(-1))
    },
  })),

  'what follows on a taken key is stored all the same': withStore((right) => ({
    async append(entries) {
      const { stored } = await right.append(entries)
      for (const later of entries.slice(stored + 1)) await right.append([later]).catch(() => {})
      return { stored }
    },
  })),

  'an auction is listed by its end once': withStore((right) => {
    const returned = new Set<AuctionId>()
    return {
      async listAuctions(query) {
        const page = await right.listAuctions(query)
        if (query.order !== 'endTime') return page
        const auctions = page.auctions.filter(({ id }) => !returned.has(id))
        for (const { id } of auctions) returned.add(id)
        return { ...page, auctions }
      },
    }
  }),

  'a list by ends leaves out the auction behind the place where it begins': withStore((right) => ({
    async listAuctions(query) {
      const page = await right.listAuctions(query)
      return query.order === 'endTime' && query.after ? { ...page, auctions: page.auctions.slice(1) } : page
    },
  })),

  'auctions in overtime are left out where lists are in the order of ends': withStore((right) => ({
    listAuctions: async (query) =>
      query.inOvertimeAtMs === undefined ? right.listAuctions(query) : { auctions: [], next: undefined },
  })),

  'auctions in overtime are not looked for as active ones': withStore((right) => ({
    async listAuctions(query) {
      const page = await right.listAuctions(query)
      const { status } = query
      if (status?.is !== 'Active') return page
      return { ...page, auctions: page.auctions.filter(({ endTime }) => endTime.epochMs > status.nowMs) }
    },
  })),

  'auctions that were bought are not looked for as ended ones': withStore((right) => ({
    async listAuctions(query) {
      const page = await right.listAuctions(query)
      const { status } = query
      if (status?.is !== 'Ended') return page
      return { ...page, auctions: page.auctions.filter(({ endTime }) => endTime.epochMs <= status.nowMs) }
    },
  })),

  'a block of ids is claimed twice': withStore(() => ({ claimIdBlock: async () => 'claimed' })),
}
