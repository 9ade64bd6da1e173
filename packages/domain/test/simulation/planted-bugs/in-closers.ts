import type { Entry } from '../../../src/store/store.ts'
import { type PlantedBugs, withStoreOfProcess } from './planted.ts'

/** Bugs in closing. */
export const bugsInClosers: PlantedBugs = {
  'auctions are closed without the margin for clock differences': () => ({ limits: { clockSkewMs: 0 } }),

  'auctions that could not be closed are not retried': withStoreOfProcess((right) => ({
    async append(entries, options) {
      try {
        return await right.append(entries, options)
      } catch (error) {
        const closed = entries.filter(({ event }) => event.type === 'closed')
        await right.updateAgenda(closed.map(({ auctionId }: Entry) => ({ auctionId, endedMs: 0, outcome: 'sold' })))
        throw error
      }
    },
  })),

  'extended auctions are not closed': withStoreOfProcess((right) => ({
    async listAuctions(query) {
      const page = await right.listAuctions(query)
      if (query.dueByMs === undefined) return page
      return {
        ...page,
        items: page.items.filter(({ auction, position }) => position.timeMs <= auction.endTime.epochMs),
      }
    },
  })),

  'extended auctions are removed from the agenda': withStoreOfProcess((right) => ({
    updateAgenda: (updates) =>
      right.updateAgenda(
        updates.map(({ auctionId, ...update }) => ({
          auctionId,
          ...('dueMs' in update ? { endedMs: update.dueMs, outcome: 'sold' } : update),
        })),
      ),
  })),

  'auctions that others have created are not found': withStoreOfProcess((right) => {
    let hasLooked = false
    return {
      async listAuctions(query) {
        if (query.dueByMs === undefined) return right.listAuctions(query)
        const page = hasLooked ? { items: [], next: undefined } : await right.listAuctions(query)
        hasLooked = true
        return page
      },
    }
  }),
}
