import type { AuctionId, UserId } from '@auction/domain/ids'
import type { RequestKey } from '@auction/domain/request-key'
import type { Entry, Store } from '@auction/domain/store'
import { createEntriesById } from './entries-by-id.ts'
import { frozenCopy } from './frozen-copy.ts'
import { SortedList } from './sorted-list.ts'

type LedgerPart = Pick<
  Store,
  'append' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries' | 'listBidderEntries' | 'commitMark'
>

/** A search needs only the place of an entry. */
type Placed = Entry | Pick<Entry, 'atMs' | 'id'>

const oldestFirst = (a: Placed, b: Placed) => a.atMs - b.atMs || a.id - b.id

/**
 * Each auction's entries in an array, the entry of sequence n at n - 1, all entries by id and by key, and each bidder's bids in a list,
 * the oldest first, so that new ones are added at its end.
 */
export function createMemoryLedger(): LedgerPart {
  const byAuction = new Map<AuctionId, Entry[]>()
  const byId = createEntriesById()
  const byKey = new Map<RequestKey, Entry>()
  let count = 0
  const byBidder = new Map<UserId, SortedList<Placed>>()

  function addToBidder(entry: Entry): void {
    if (entry.event.type !== 'bid-placed') return
    const { bidderId } = entry.event
    const bids = byBidder.get(bidderId) ?? new SortedList(oldestFirst)
    bids.insert(entry)
    byBidder.set(bidderId, bids)
  }

  function insert(entry: Entry): boolean {
    let entries = byAuction.get(entry.auctionId)
    if (entries === undefined) {
      entries = []
      byAuction.set(entry.auctionId, entries)
    }
    const { sequence, id, requestKey } = entry
    if (sequence <= entries.length || byId.get(id) !== undefined) return false
    if (requestKey !== undefined && byKey.has(requestKey)) return false
    if (sequence > entries.length + 1) throw new RangeError(`entry ${id} would leave a gap before its sequence`)
    const stored = frozenCopy(entry)
    entries.push(stored)
    count += 1
    byId.add(stored)
    if (requestKey !== undefined) byKey.set(requestKey, stored)
    addToBidder(stored)
    return true
  }

  return {
    commitMark: async () => count,
    async append(entries) {
      let stored = 0
      for (const entry of entries) {
        if (!insert(entry)) break
        stored += 1
      }
      return stored
    },

    async findHeads(auctionIds) {
      return auctionIds.map((id) => byAuction.get(id)?.at(-1)).filter((entry) => entry !== undefined)
    },

    async findEntries(ids) {
      return ids.map((id) => byId.get(id)).filter((entry) => entry !== undefined)
    },

    async findEntriesByKey(keys) {
      return keys.map((key) => byKey.get(key)).filter((entry) => entry !== undefined)
    },

    async listEntries(auctionId, { limit, before }) {
      const entries = byAuction.get(auctionId) ?? []
      const end = before === undefined ? entries.length : Math.min(Math.max(before - 1, 0), entries.length)
      return entries.slice(Math.max(0, end - limit), end).reverse()
    },

    async listBidderEntries(bidderId, { limit, after }) {
      const found: Entry[] = []
      const place = after && { atMs: after.timeMs, id: after.id }
      for (const entry of byBidder.get(bidderId)?.before(place) ?? []) {
        if ('event' in entry) found.push(entry)
        if (found.length === limit) break
      }
      return found
    },
  }
}
