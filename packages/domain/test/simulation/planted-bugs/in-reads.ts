import type { Appended, Entry } from '../../../src/store/store.ts'
import type { ListEvents } from '../../../src/use-cases/list-events.ts'
import type { PlacedBid } from '../../../src/use-cases/place-bid.ts'
import { maxPageSize } from '../../../src/values/page.ts'
import { accepted } from '../../../src/values/result.ts'
import { type PlantedBugs, withService, withStore, withStoreOfProcess } from './planted.ts'

/** Bugs in what readers and followers see. */
export const bugsInReads: PlantedBugs = {
  'a status follows a clock that is read after the ledger': withService((right) => ({
    async readAuction(id) {
      const read = await right.readAuction(id)
      const later = await right.readAuction(id)
      if (!read.ok || !later.ok || later.value.status !== 'Ended') return read
      return accepted({ ...read.value, status: later.value.status })
    },
  })),

  'a list of the bids of a bidder lacks purchases': withService((right) => ({
    async listBidsOfBidder(...asked) {
      const listed = await right.listBidsOfBidder(...asked)
      if (!listed.ok) return listed
      return accepted({ ...listed.value, items: listed.value.items.filter(({ bid }) => bid.isPurchase !== true) })
    },
  })),

  'a placed bid has the leader of the head before it': withService((right) => ({
    async placeBid(bid, retry) {
      const before = await right.readAuction(bid.auctionId)
      const placed = await right.placeBid(bid, retry)
      if (!placed.ok || !before.ok) return placed
      // The cast: the auction is English.
      return { ...placed, value: { ...placed.value, leaderId: before.value.leaderId } as PlacedBid }
    },
  })),

  'a page skips one auction': withService((right) => ({
    async listAuctions(query) {
      if ('ids' in query) return right.listAuctions(query)
      const page = await right.listAuctions({ ...query, limit: query.limit + 1 })
      if (!page.ok || query.limit >= 100) return page
      return accepted({ ...page.value, items: page.value.items.slice(0, query.limit) })
    },
  })),

  'automatic bids are not listed': withService((right) => ({
    async listBids(id, query) {
      const page = await right.listBids(id, query)
      if (!page.ok) return page
      return accepted({ ...page.value, items: page.value.items.filter(({ automatic }) => automatic === undefined) })
    },
  })),

  'a follower trusts the sequence of a hint': () => ({
    follower: { readAfter: (position, noticed) => Math.max(position, noticed - 1) },
  }),

  'a follower that reconnects gets its last event again': () => ({
    follower: { resumeFrom: (position) => position - 1 },
  }),

  'reads of events in flight are shared by their position only': withService((right) => {
    const reads = new Map<number, ReturnType<ListEvents>>()
    return {
      listEvents(auctionId, query) {
        const inFlight = reads.get(query.after)
        if (inFlight !== undefined) return inFlight
        const read = right.listEvents(auctionId, query).finally(() => reads.delete(query.after))
        reads.set(query.after, read)
        return read
      },
    }
  }),

  'a page of events is at the head where its entries end': withService((right) => ({
    async listEvents(auctionId, query) {
      const all = await right.listEvents(auctionId, { ...query, limit: maxPageSize })
      return all.ok ? accepted({ ...all.value, items: all.value.items.slice(0, query.limit) }) : all
    },
  })),

  'a page of events is kept': withService((right) => {
    const pages = new Map<string, Awaited<ReturnType<ListEvents>>>()
    return {
      async listEvents(auctionId, query) {
        const key = `${auctionId}/${query.after}`
        const page = pages.get(key) ?? (await right.listEvents(auctionId, query))
        pages.set(key, page)
        return page
      },
    }
  }),

  'the first call of a watch is left out': withService((right) => ({
    watchAuction(auctionId, onEntries) {
      let calls = 0
      return right.watchAuction(auctionId, (sequence) => {
        calls += 1
        if (calls > 1) onEntries(sequence)
      })
    },
  })),

  'a new entry wakes only the last follower': withService((right) => {
    const last = new Map<number, object>()
    return {
      watchAuction(auctionId, onEntries) {
        const own = {}
        last.set(auctionId, own)
        return right.watchAuction(auctionId, (sequence) => void (last.get(auctionId) === own && onEntries(sequence)))
      },
    }
  }),

  'a store tells a process of the appends of that process only': withStoreOfProcess((right) => {
    const own = new Set<string>()
    const keyOf = ({ auctionId, sequence }: Appended) => `${auctionId}/${sequence}`
    return {
      append(entries, options) {
        for (const entry of entries) own.add(keyOf(entry))
        return right.append(entries, options)
      },
      async appendedSince(mark) {
        const since = await right.appendedSince?.(mark)
        return since && { ...since, appended: since.appended?.filter((each) => own.has(keyOf(each))) }
      },
    }
  }),

  'events show an entry that lost against another': withStore((right) => {
    const lost = new Map<string, Entry>()
    const keyOf = ({ auctionId, sequence }: Entry) => `${auctionId}/${sequence}`
    return {
      async append(entries) {
        const stored = await right.append(entries)
        for (const entry of entries.slice(stored)) lost.set(keyOf(entry), entry)
        return stored
      },
      async listEntries(auctionId, query) {
        const entries = await right.listEntries(auctionId, query)
        return entries.map((entry) => lost.get(keyOf(entry)) ?? entry)
      },
    }
  }),
}
