import { type Entry, isBidEntry } from '../../../src/auction/entry.ts'
import type { AuctionState } from '../../../src/auction/state.ts'
import { type AuctionId, automaticBidId, type BidId } from '../../../src/values/ids.ts'
import { type Moment, momentAt } from '../../../src/values/moment.ts'
import type { RequestKey } from '../../../src/values/request-key.ts'
import { refused } from '../../../src/values/result.ts'
import { type PlantedBugs, withService, withStoreOfProcess } from './planted.ts'

/** Bugs in the decisions of lanes, and in the data that they use. */
export const bugsInLanes: PlantedBugs = {
  'a refusal uses a cached head': withService((right) => {
    const cached = new Map<AuctionId, Awaited<ReturnType<typeof right.placeBid>>>()
    return {
      async placeBid(bid, retry, arrivedAtMs) {
        const placed = await right.placeBid(bid, retry, arrivedAtMs)
        if (placed.ok || placed.refusal.code !== 'bid-too-low') return placed
        const first = cached.get(bid.auctionId) ?? placed
        cached.set(bid.auctionId, first)
        return first
      },
    }
  }),

  'a key is not looked up before a refusal': withStoreOfProcess((right) => {
    const conflicting = new Set<RequestKey>()
    return {
      async append(entries, options) {
        const stored = await right.append(entries, options)
        for (const { requestKey } of entries.slice(stored)) if (requestKey !== undefined) conflicting.add(requestKey)
        return stored
      },
      findEntriesByKey: (keys) => right.findEntriesByKey(keys.filter((key) => conflicting.has(key))),
    }
  }),

  'a taken key is mistaken for a stale sequence': withStoreOfProcess((right) => {
    const conflicting = new Set<RequestKey>()
    return {
      async append(entries, options) {
        const stored = await right.append(entries, options)
        for (const { requestKey } of entries.slice(stored)) if (requestKey !== undefined) conflicting.add(requestKey)
        return stored
      },
      findEntriesByKey: (keys) => right.findEntriesByKey(keys.filter((key) => !conflicting.has(key))),
    }
  }),

  'the cached state is used after a conflict': withStoreOfProcess((right) => {
    /** The first entry of an append that conflicted, until the next head is read, which settles it. */
    const conflicting = new Map<AuctionId, Entry>()
    return {
      async append(entries, options) {
        const stored = await right.append(entries, options)
        const [first] = entries
        if (first !== undefined && stored < entries.length) conflicting.set(first.auctionId, first)
        return stored
      },
      async findHeads(ids, signal) {
        const heads = await right.findHeads(ids, signal)
        return heads.map((head) => {
          const first = conflicting.get(head.auctionId)
          conflicting.delete(head.auctionId)
          return first === undefined || first.id === head.id ? head : { ...head, state: first.state }
        })
      },
    }
  }),

  'both of two duplicates are decided': withService((right) => {
    const inFlight = new Set<string>()
    return {
      async placeBid(bid, retry, arrivedAtMs) {
        if (retry === undefined || inFlight.has(retry.key)) return right.placeBid(bid, undefined, arrivedAtMs)
        inFlight.add(retry.key)
        return right.placeBid(bid, retry, arrivedAtMs).finally(() => inFlight.delete(retry.key))
      },
    }
  }),

  'a cached end decides that an auction has ended': withService((right, { store, clock }) => {
    const ends = new Map<AuctionId, Moment>()
    return {
      async placeBid(bid, retry, arrivedAtMs) {
        const known = ends.get(bid.auctionId)
        if (known !== undefined && clock.nowMs() >= known.epochMs)
          return refused({ code: 'auction-ended', endTime: known })
        const placed = await right.placeBid(bid, retry, arrivedAtMs)
        const [entry] = placed.ok ? await store.findEntries([placed.value.id]) : []
        const endMs = entry?.state.extendedEndMs
        if (endMs !== undefined) ends.set(bid.auctionId, momentAt(endMs))
        return placed
      },
    }
  }),

  'a command is judged by the clock at its decision': withService((right, { store, clock }) => ({
    async placeBid(bid, retry, arrivedAtMs) {
      const atMs = arrivedAtMs ?? clock.nowMs()
      const auction = await store.findAuction(bid.auctionId)
      // The checker finds another end of a soft close in any case, and must also find bids that are refused as late.
      if (auction?.softClose !== undefined) return right.placeBid(bid, retry, atMs)
      await right.readAuction(bid.auctionId).catch(() => undefined)
      return right.placeBid(bid, retry)
    },
  })),

  'the arrival that a host passes is ignored': withService((right) => ({
    placeBid: (bid, retry) => right.placeBid(bid, retry),
    buyNow: (purchase, retry) => right.buyNow(purchase, retry),
    cancelAuction: (cancellation, retry) => right.cancelAuction(cancellation, retry),
    correctAuction: (correction, retry) => right.correctAuction(correction, retry),
  })),

  'the id of an automatic bid is used twice': withStoreOfProcess((right) => {
    const ofAutomaticBids = new Set<BidId>()
    function reuse(entry: Entry): void {
      const before = (entry.id - 1) as BidId // Checked in the next line.
      // In place, so that the lane has the altered entry, too.
      if (ofAutomaticBids.has(before)) Object.assign(entry, { id: before, state: withLeadingBid(entry, before) })
      if (isBidEntry(entry) && entry.event.automatic !== undefined) ofAutomaticBids.add(automaticBidId(entry.id))
    }
    return {
      append(entries, options) {
        entries.forEach(reuse)
        return right.append(entries, options)
      },
    }
  }),

  'an automatic bid is stored as a separate entry': withStoreOfProcess((right) => ({
    append: async (entries, options) => Math.min(await right.append(entries.flatMap(split), options), entries.length),
  })),

  'a deadline is ignored': () => ({ limits: { deadlineMs: 10_000 } }),
}

/** The state of an entry that gets another id. */
function withLeadingBid({ id, state }: Entry, otherId: BidId): AuctionState {
  const { leader } = state
  if (leader === null || leader.bidId < id) return state
  return { ...state, leader: { ...leader, bidId: leader.bidId === id ? otherId : automaticBidId(otherId) } }
}

/** Splits an entry with an automatic bid into two. */
function split(entry: Entry): readonly Entry[] {
  if (!isBidEntry(entry) || entry.event.automatic === undefined) return [entry]
  const { automatic, ...own } = entry.event
  const reply = { ...entry, id: automaticBidId(entry.id), sequence: entry.sequence + 1 }
  const { requestKey: _, ...unkeyed } = reply
  return [
    { ...entry, event: own },
    { ...unkeyed, event: { type: 'bid-placed', ...automatic } },
  ]
}
