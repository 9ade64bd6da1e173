import type { Bid } from '../../../src/auction/bid.ts'
import type { Entry } from '../../../src/auction/entry.ts'
import { type AuctionState, initialState } from '../../../src/auction/state.ts'
import type { CurrentView } from '../../../src/auction/view.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import { accepted } from '../../../src/values/result.ts'
import { decidedAgain, withEvents, withState } from './altered-events.ts'
import { type PlantedBugs, withService, withStoreOfProcess } from './planted.ts'

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

  'an auction is closed on a guessed state, after its head': withState((state, type) =>
    type === 'closed' ? initialState : state,
  ),

  'the result follows from an earlier state': withEvents(() => {
    const earlier = new Map<AuctionId, AuctionState>()
    return (accepted) => {
      const { entry, terms, state } = accepted
      if (entry.event.type === 'closed') return decidedAgain({ ...accepted, state: earlier.get(terms.id) ?? state })
      if (!earlier.has(terms.id)) earlier.set(terms.id, state)
      return entry.event
    }
  }),

  'a result is returned before the end is recorded': withService((right) => ({
    async readAuction(id) {
      const [read, bids] = [await right.readAuction(id), await right.listBids(id, { limit: 1 })]
      return read.ok && bids.ok ? accepted(guess(read.value, bids.value.items[0])) : read
    },
  })),
}

function guess(view: CurrentView, last: Bid | undefined): CurrentView {
  if (view.status !== 'Ended' || view.result !== undefined) return view
  if (last === undefined) return { ...view, result: { outcome: 'unsold', reason: 'no-bids' } }
  const { id: bidId, bidderId: winnerId, amountMinor: priceMinor } = last
  return { ...view, result: { outcome: 'sold', bidId, winnerId, priceMinor } }
}
