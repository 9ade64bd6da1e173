import type { PlaceBidCommand } from '../../../src/auction/commands.ts'
import { decide } from '../../../src/auction/decide.ts'
import { type Entry, isBidEntry } from '../../../src/auction/entry.ts'
import { createLanes, type LaneParts, type Lanes } from '../../../src/ledger/lanes.ts'
import type { Store } from '../../../src/store/store.ts'
import { createTimeLimit } from '../../../src/time-limit.ts'
import { type AuctionId, automaticBidId } from '../../../src/values/ids.ts'
import { momentAt } from '../../../src/values/moment.ts'
import type { RequestKey } from '../../../src/values/request-key.ts'
import { refused } from '../../../src/values/result.ts'
import { createWriteThat } from './broken-write.ts'
import type { PlantedBugs } from './planted.ts'

/** Lanes with other parts. */
const withParts = (plant: (parts: LaneParts) => Partial<LaneParts>) => () => ({
  createLanes: (parts: LaneParts): Lanes => createLanes({ ...parts, ...plant(parts) }),
})

/** Lanes with replaced reads; their writes go to the correct store. */
const withReads = (plant: (right: Store) => Partial<Store>) =>
  withParts(({ store }) => ({
    store: { ...store, ...plant(store) },
    write: createWriteThat({ store: () => store }),
  }))

/** Bugs in the decisions of lanes, and in the data that they use. */
export const bugsInLanes: PlantedBugs = {
  'a refusal uses a cached head': withReads((right) => {
    const remembered = new Map<AuctionId, readonly Entry[]>()
    return {
      async findHeads(ids) {
        const [id] = ids
        const known = id && remembered.get(id)
        if (known !== undefined) return known
        const heads = await right.findHeads(ids)
        if (id !== undefined) remembered.set(id, heads)
        return heads
      },
    }
  }),

  'a key is not looked up before a refusal': withReads(() => ({ findEntriesByKey: async () => [] })),

  'the cached state is used after a conflict': withParts(() => ({
    write: createWriteThat({
      tell: (written, [first]) => {
        if (written.outcome !== 'taken' || written.head === undefined || first === undefined) return written
        return { ...written, head: { ...written.head, state: first.state } }
      },
    }),
  })),

  'a taken key is mistaken for a stale sequence': withParts(({ store }) => {
    const taken = new Set<RequestKey>()
    return {
      store: {
        ...store,
        findEntriesByKey: (keys) => store.findEntriesByKey(keys.filter((key) => !taken.has(key))),
      },
      write: createWriteThat({
        store: () => store,
        tell: (written, entries) => {
          const next = entries[written.stored]
          const isOfKey = written.outcome === 'taken' && (written.head?.sequence ?? 0) < (next?.sequence ?? 0)
          if (isOfKey && next?.requestKey !== undefined) taken.add(next.requestKey)
          return written
        },
      }),
    }
  }),

  'both of two duplicates are decided': () => ({
    createLanes(parts) {
      const lanes = createLanes(parts)
      const underWay = new Set<RequestKey>()
      return {
        ...lanes,
        submit: ((auctionId: AuctionId, command: PlaceBidCommand, key?: RequestKey) => {
          if (key === undefined || underWay.has(key)) return lanes.submit(auctionId, command)
          underWay.add(key)
          return lanes.submit(auctionId, command, key).finally(() => underWay.delete(key))
        }) as Lanes['submit'], // The types of one command are those of all.
      }
    },
  }),

  'a cached end decides that an auction has ended': () => ({
    createLanes(parts) {
      const lanes = createLanes(parts)
      const ends = new Map<AuctionId, number>()
      return {
        ...lanes,
        submit: (async (auctionId: AuctionId, command: PlaceBidCommand, key?: RequestKey) => {
          const knownMs = ends.get(auctionId) ?? Number.POSITIVE_INFINITY
          if (parts.clock.nowMs() >= knownMs) return refused({ code: 'auction-ended', endTime: momentAt(knownMs) })
          const result = await lanes.submit(auctionId, command, key)
          const endMs = result.ok ? result.value.state.extendedEndMs : undefined
          if (endMs !== undefined) ends.set(auctionId, endMs)
          return result
        }) as Lanes['submit'], // The types of bids are those of all commands.
      }
    },
  }),

  'a command is judged by the clock at its decision': withParts(({ clock }) => ({
    // The checker finds another end of a soft close in any case, and must also find bids that are refused as late.
    decide: ((terms, state, command, arrivedAtMs) =>
      decide(terms, state, command, terms.softClose === undefined ? clock.nowMs() : arrivedAtMs)) as typeof decide, // With the same overloads.
  })),

  'the arrival that a host passes is ignored': () => ({
    createLanes(parts) {
      const lanes = createLanes(parts)
      return {
        ...lanes,
        submit: ((auctionId: AuctionId, command: PlaceBidCommand, key?: RequestKey) =>
          lanes.submit(auctionId, command, key)) as Lanes['submit'], // The types of one command are those of all.
      }
    },
  }),

  'the id of an automatic bid is used twice': withParts(({ ids }) => ({
    ids: { next: () => ids.next(), nextPair: () => ids.next() },
  })),

  'an automatic bid is stored as a separate entry': withParts(() => ({
    write: createWriteThat({
      store: (right) => ({
        ...right,
        append: async (entries, options) =>
          Math.min(await right.append(entries.flatMap(split), options), entries.length),
      }),
    }),
  })),

  'a deadline is ignored': withParts(({ clock }) => ({ limit: createTimeLimit(clock, 1_000_000) })),
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
