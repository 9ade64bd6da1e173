import type { Entry } from '../../../src/store/store.ts'
import { type AuctionId, entryIdsOf } from '../../../src/values/ids.ts'
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
        const [entry] = placed.ok ? await store.findEntries(entryIdsOf(placed.value.id)) : []
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

  'a correction replaces a state that its client has not seen': withService((right) => ({
    correctAuction: ({ isExpected: _, ...correction }, retry, arrivedAtMs) =>
      right.correctAuction(correction, retry, arrivedAtMs),
  })),

  'a deadline is ignored': () => ({ limits: { deadlineMs: 10_000 } }),
}
