import type { Bid } from '../../../src/auction/bid.ts'
import { decide } from '../../../src/auction/decide.ts'
import { type AuctionState, evolve, initialState } from '../../../src/auction/state.ts'
import type { CurrentView } from '../../../src/auction/view.ts'
import { createLanes, type LaneParts, type Lanes } from '../../../src/ledger/lanes.ts'
import { type CloserParts, createCloser } from '../../../src/use-cases/close-due.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import { accepted, refused, unwrap } from '../../../src/values/result.ts'
import type { PlantedBugs } from './planted.ts'

const withParts = (plant: (parts: CloserParts) => Partial<CloserParts>) => () => ({
  createCloser: (parts: CloserParts) => createCloser({ ...parts, ...plant(parts) }),
})

const withClose = (plant: (right: Lanes, parts: LaneParts) => Lanes['close']) => () => ({
  createLanes(parts: LaneParts): Lanes {
    const lanes = createLanes(parts)
    return { ...lanes, close: plant(lanes, parts) }
  },
})

/** Bugs in closing. */
export const bugsInClosers: PlantedBugs = {
  'auctions are closed without the margin for clock differences': withParts(({ limits }) => ({
    limits: { ...limits, clockSkewMs: 0 },
  })),

  'auctions that could not be closed are not retried': withParts(({ lanes }) => ({
    lanes: { close: (...values) => lanes.close(...values).catch(() => closedLongAgo) },
  })),

  'extended auctions are not closed': withParts(({ lanes }) => ({
    lanes: {
      async close(...values) {
        const result = await lanes.close(...values)
        return result.ok || result.refusal.code !== 'not-due' ? result : closedLongAgo
      },
    },
  })),

  'extended auctions are removed from the agenda': withParts(({ updateAgenda }) => ({
    updateAgenda: ({ auctionId, ...update }) =>
      updateAgenda({ auctionId, endedMs: 'dueMs' in update ? update.dueMs : update.endedMs }),
  })),

  'auctions that others have created are not found': withParts(({ store }) => {
    let hasLooked = false
    return {
      store: {
        ...store,
        async listAuctions(query) {
          const page = hasLooked ? { items: [], next: undefined } : await store.listAuctions(query)
          hasLooked = true
          return page
        },
      },
    }
  }),

  'an auction is closed on a guessed state, after its head': withClose((_, { store, clock, ids }) => async (terms) => {
    const [head] = await store.findHeads([terms.id])
    if (head?.state.phase === 'closed') return closedLongAgo
    const recorded = {
      id: await ids.next(),
      atMs: clock.nowMs(),
      event: unwrap(decide(terms, initialState, closing, Number.MAX_VALUE)),
    }
    const entry = {
      ...recorded,
      auctionId: terms.id,
      sequence: (head?.sequence ?? 0) + 1,
      currency: terms.currency,
      state: evolve(initialState, recorded),
    }
    const stored = await store.append([entry])
    return stored === 1 ? { ok: true, value: entry } : closedLongAgo
  }),

  'the result follows from an earlier state': () => ({
    createLanes(parts: LaneParts): Lanes {
      const earlier = new Map<AuctionId, AuctionState>()
      const decideLate = ((terms, state, command, nowMs) => {
        if (command.type === 'close') return decide(terms, earlier.get(terms.id) ?? state, command, nowMs)
        if (!earlier.has(terms.id) && state.phase === 'open') earlier.set(terms.id, state)
        return decide(terms, state, command, nowMs)
      }) as typeof decide // With the overloads of the correct function.
      return createLanes({ ...parts, decide: decideLate })
    },
  }),

  'a result is returned before the end is recorded': () => ({
    service: (right) => ({
      ...right,
      async readAuction(id) {
        const [read, bids] = [await right.readAuction(id), await right.listBids(id, { limit: 1 })]
        return read.ok && bids.ok ? accepted(guess(read.value, bids.value.items[0])) : read
      },
    }),
  }),
}

const closedLongAgo = refused({ code: 'already-closed', endedMs: 0 } as const)
const closing = { type: 'close', marginMs: 0 } as const

function guess(view: CurrentView, last: Bid | undefined): CurrentView {
  if (view.status !== 'Ended' || view.result !== undefined) return view
  if (last === undefined) return { ...view, result: { outcome: 'unsold', reason: 'no-bids' } }
  const { id: bidId, bidderId: winnerId, amountMinor: priceMinor } = last
  return { ...view, result: { outcome: 'sold', bidId, winnerId, priceMinor } }
}
