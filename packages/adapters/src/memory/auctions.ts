import { type Auction, type ListedAuction, wordsOf } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import type { RequestKey } from '@auction/domain/request-key'
import {
  type AuctionPosition,
  type AuctionQuery,
  type ListedItem,
  maxScannedAuctions,
  type Store,
} from '@auction/domain/store'
import { longestWord } from '../shared/longest-word.ts'
import { frozenCopy } from './frozen-copy.ts'
import { SortedList } from './sorted-list.ts'

type AuctionPart = Pick<
  Store,
  | 'insertAuction'
  | 'findAuction'
  | 'findAuctionByKey'
  | 'findAuctions'
  | 'listAuctions'
  | 'updateAgenda'
  | 'addTitleWords'
>

type Kept = {
  readonly auction: Auction
  readonly listed: ListedAuction
  /** Its place on the agenda, or its end. */
  agenda: { readonly dueMs: number } | { readonly endedMs: number }
  /** The words under which a search finds it. */
  readonly words: Set<string>
}

/** An auction at its place in an order. A search needs only the place. */
type Placed = { readonly timeMs: number; readonly id: AuctionId; readonly kept?: Kept }

const byTime = (a: Placed, b: Placed) => a.timeMs - b.timeMs || a.id - b.id

/** Auctions in maps by id and by key, and in sorted lists for each order of reads, the oldest first, so that new ones are added at an end. */
export function createMemoryAuctions(): AuctionPart {
  const byId = new Map<AuctionId, Kept>()
  const byKey = new Map<RequestKey, Kept>()
  const lists = {
    newest: new SortedList(byTime),
    agenda: new SortedList(byTime),
    ended: new SortedList(byTime),
  }
  /** The auctions of each word. */
  const byWord = new Map<string, SortedList<Placed>>()

  function addWords(kept: Kept, words: readonly string[]): void {
    const { id, createdAtMs } = kept.auction
    for (const word of words) {
      if (kept.words.has(word)) continue
      kept.words.add(word)
      const list = byWord.get(word) ?? new SortedList(byTime)
      byWord.set(word, list)
      list.insert({ timeMs: createdAtMs, id, kept })
    }
  }

  function listed({ order, words, after }: AuctionQuery): Iterable<Placed> {
    const list = words === undefined ? lists[order] : byWord.get(longestWord(words))
    return (order === 'agenda' ? list?.after(after) : list?.before(after)) ?? []
  }

  return {
    async insertAuction({ requestKey, ...auction }) {
      const { id, createdAtMs, endTime } = auction
      if (byId.has(id) || (requestKey !== undefined && byKey.has(requestKey))) return 'taken'
      const kept = keptOf(frozenCopy(auction))
      byId.set(id, kept)
      if (requestKey !== undefined) byKey.set(requestKey, kept)
      lists.newest.insert({ timeMs: createdAtMs, id, kept })
      lists.agenda.insert({ timeMs: endTime.epochMs, id, kept })
      addWords(kept, wordsOf(auction.title ?? ''))
      return 'inserted'
    },

    findAuction: async (id) => byId.get(id)?.auction,
    findAuctionByKey: async (key) => byKey.get(key)?.auction,

    findAuctions: async (ids) => ids.map((id) => byId.get(id)?.listed).filter((listed) => listed !== undefined),

    async listAuctions(query) {
      const { order, limit, dueByMs = Number.POSITIVE_INFINITY } = query
      const items: ListedItem[] = []
      let scanned = 0
      let last: AuctionPosition | undefined
      for (const { timeMs, id, kept } of listed(query)) {
        if (timeMs > dueByMs) break
        if (items.length === limit || scanned === maxScannedAuctions) return { items, next: last }
        scanned += 1
        last = { order, timeMs, id }
        if (kept !== undefined && matches(kept, query)) items.push({ auction: kept.listed, position: last })
      }
      return { items, next: undefined }
    },

    async updateAgenda(updates) {
      for (const { auctionId: id, ...place } of updates) {
        const kept = byId.get(id)
        if (kept === undefined || 'endedMs' in kept.agenda) continue
        const { dueMs } = kept.agenda
        if ('dueMs' in place && place.dueMs <= dueMs) continue
        lists.agenda.remove({ timeMs: dueMs, id })
        if ('dueMs' in place) lists.agenda.insert({ timeMs: place.dueMs, id, kept })
        else lists.ended.insert({ timeMs: place.endedMs, id, kept })
        kept.agenda = place
      }
    },

    async addTitleWords(id, words) {
      const kept = byId.get(id)
      if (kept !== undefined) addWords(kept, words)
    },
  }
}

function keptOf(auction: Auction): Kept {
  const { description, ...rest } = auction
  const listed = description === undefined ? auction : Object.freeze(rest)
  return { auction, listed, agenda: { dueMs: auction.endTime.epochMs }, words: new Set() }
}

const matches = ({ listed, agenda, words }: Kept, query: AuctionQuery): boolean => {
  const { onlyOpen, ownerId, productId, words: wanted = [] } = query
  return (
    (onlyOpen !== true || 'dueMs' in agenda) &&
    wanted.every((word) => words.has(word)) &&
    (ownerId === undefined || listed.ownerId === ownerId) &&
    (productId === undefined || listed.productId === productId)
  )
}
