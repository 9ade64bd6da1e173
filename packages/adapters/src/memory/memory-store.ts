import type { Checkpoints } from '@auction/delivery/checkpoints'
import { type Auction, type ListedAuction, wordsOf } from '@auction/domain/auction'
import type { AuctionId, BidId, UserId } from '@auction/domain/ids'
import type { RequestKey } from '@auction/domain/request-key'
import {
  type AgendaUpdate,
  type Appended,
  type AppendedSince,
  type AuctionPosition,
  type AuctionQuery,
  type Entry,
  type IdKind,
  type ListedItem,
  maxAppended,
  maxScannedAuctions,
  type Store,
} from '@auction/domain/store'
import { foundAuction } from '@auction/domain/stored'
import { createMemoryCheckpoints } from './checkpoints.ts'

export type MemoryStore = Store & Required<Pick<Store, 'appendedSince'>> & { readonly checkpoints: Checkpoints }

/** A store in memory, for tests and for a trial of the service. Its data ends with the process. */
export function createMemoryStore(): MemoryStore {
  return { ...createAuctions(), ...createLedger(), ...createIdBlocks(), checkpoints: createMemoryCheckpoints() }
}

type Order = AuctionPosition['order']

type StoredAuction = {
  readonly auction: Auction
  /** The auction without its description. */
  readonly listed: ListedAuction
  readonly requestKey: RequestKey | undefined
  /** The words under which a search finds it. */
  readonly words: Set<string>
  /** When it is due, or when it has ended. */
  agenda: { readonly dueMs: number } | { readonly endedMs: number }
}

/** Lists are sorted by time and id, the oldest first, so that most new items are added at the end. */
type Place = { readonly timeMs: number; readonly id: number }

const byTime = (a: Place, b: Place): number => a.timeMs - b.timeMs || a.id - b.id

function createAuctions() {
  const byId = new Map<AuctionId, StoredAuction>()
  const byKey = new Map<RequestKey, StoredAuction>()
  const lists: Readonly<Record<Order, StoredAuction[]>> = { newest: [], agenda: [], ended: [] }

  const placeIn = (order: Order) => (stored: StoredAuction) => placeOf(stored, order)

  function updateAgenda({ auctionId, ...next }: AgendaUpdate): void {
    const stored = byId.get(auctionId)
    if (stored === undefined || 'endedMs' in stored.agenda) return
    if ('dueMs' in next && next.dueMs <= stored.agenda.dueMs) return
    lists.agenda.splice(countBefore(lists.agenda, placeOf(stored, 'agenda'), placeIn('agenda')), 1)
    stored.agenda = next
    const order = 'dueMs' in next ? 'agenda' : 'ended'
    insert(lists[order], stored, placeIn(order))
  }

  return {
    async insertAuction({ requestKey, ...given }) {
      if (byId.has(given.id) || (requestKey !== undefined && byKey.has(requestKey))) return 'taken'
      const auction = frozenCopy(given)
      const { description: _, ...listed } = auction
      const agenda = { dueMs: auction.endTime.epochMs }
      const words = new Set(wordsOf(auction.title ?? ''))
      const stored = { auction, listed: Object.freeze(listed), requestKey, words, agenda }
      byId.set(auction.id, stored)
      if (requestKey !== undefined) byKey.set(requestKey, stored)
      insert(lists.newest, stored, placeIn('newest'))
      insert(lists.agenda, stored, placeIn('agenda'))
      return 'inserted'
    },
    findAuction: async (id) => byId.get(id)?.auction,
    async findAuctions(wanted) {
      const stored = 'ids' in wanted ? wanted.ids.map((id) => byId.get(id)) : wanted.keys.map((key) => byKey.get(key))
      return found(stored).map(({ listed, requestKey }) => foundAuction(listed, requestKey))
    },

    async listAuctions(query) {
      const { order, after, limit, dueByMs = Number.POSITIVE_INFINITY } = query
      const items: ListedItem[] = []
      let scanned = 0
      let last: AuctionPosition | undefined
      for (const stored of follow(lists[order], after, placeIn(order), order === 'agenda')) {
        const { timeMs } = placeOf(stored, order)
        if (timeMs > dueByMs) break
        if (items.length === limit || scanned === maxScannedAuctions) return { items, next: last }
        scanned += 1
        last = { order, timeMs, id: stored.auction.id }
        if (matches(stored, query)) items.push({ auction: stored.listed, position: last })
      }
      return { items, next: undefined }
    },

    updateAgenda: async (updates) => updates.forEach(updateAgenda),
    async addTitleWords(id, words) {
      for (const word of words) byId.get(id)?.words.add(word)
    },
  } satisfies Partial<Store>
}

function placeOf({ auction: { id, createdAtMs }, agenda }: StoredAuction, order: Order): Place {
  if (order === 'newest') return { timeMs: createdAtMs, id }
  return { timeMs: 'dueMs' in agenda ? agenda.dueMs : agenda.endedMs, id }
}

const matches = ({ listed, agenda, words }: StoredAuction, query: AuctionQuery): boolean =>
  (query.onlyOpen !== true || 'dueMs' in agenda) &&
  (query.words ?? []).every((word) => words.has(word)) &&
  (query.ownerId === undefined || listed.ownerId === query.ownerId) &&
  (query.productId === undefined || listed.productId === query.productId)

const placeOfEntry = ({ atMs, id }: Entry): Place => ({ timeMs: atMs, id })

function createLedger() {
  /** The entry with sequence n is at n - 1. */
  const byAuction = new Map<AuctionId, Entry[]>()
  const byId = createEntriesById()
  const byKey = new Map<RequestKey, Entry>()
  const byBidder = new Map<UserId, Entry[]>()
  const tail = createTail()

  function isInserted(given: Entry): boolean {
    const { auctionId, sequence, id, requestKey, event } = given
    const entries = byAuction.get(auctionId) ?? []
    const isKeyTaken = requestKey !== undefined && byKey.has(requestKey)
    if (sequence <= entries.length || byId.get(id) !== undefined || isKeyTaken) return false
    if (sequence > entries.length + 1) throw new RangeError(`entry ${id} would leave a gap before its sequence`)
    const entry = frozenCopy(given)
    entries.push(entry)
    if (sequence === 1) byAuction.set(auctionId, entries)
    byId.add(entry)
    tail.add(entry)
    if (requestKey !== undefined) byKey.set(requestKey, entry)
    if (event.type === 'bid-placed') addToBidder(event.bidderId, entry)
    return true
  }

  function addToBidder(bidderId: UserId, entry: Entry): void {
    const bids = byBidder.get(bidderId) ?? []
    insert(bids, entry, placeOfEntry)
    if (bids.length === 1) byBidder.set(bidderId, bids)
  }

  return {
    appendedSince: async (mark) => tail.since(mark),
    async append(entries) {
      const taken = entries.findIndex((entry) => !isInserted(entry))
      return taken === -1 ? entries.length : taken
    },
    findHeads: async (auctionIds) => found(auctionIds.map((id) => byAuction.get(id)?.at(-1))),
    findEntries: async (ids) => found(ids.map((id) => byId.get(id))),
    findEntriesByKey: async (keys) => found(keys.map((key) => byKey.get(key))),
    async listEntries(auctionId, { limit, before = Number.POSITIVE_INFINITY }) {
      const entries = byAuction.get(auctionId) ?? []
      return newest(entries, Math.min(Math.max(before - 1, 0), entries.length), limit)
    },
    async listBidderEntries(bidderId, { limit, after }) {
      const bids = byBidder.get(bidderId) ?? []
      return newest(bids, after === undefined ? bids.length : countBefore(bids, after, placeOfEntry), limit)
    },
  } satisfies Partial<Store>
}

/**
 * Entries in maps of a thousand ids, which are assigned in order. One map would copy all of its entries each time it grows: with a million, that
 * would block the process for longer than a request should take.
 */
function createEntriesById() {
  const pages = new Map<number, Map<BidId, Entry>>()
  const pageOf = (id: BidId) => Math.floor(id / 1_000)
  return {
    get: (id: BidId) => pages.get(pageOf(id))?.get(id),
    add(entry: Entry) {
      const page = pages.get(pageOf(entry.id)) ?? new Map<BidId, Entry>()
      page.set(entry.id, entry)
      if (page.size === 1) pages.set(pageOf(entry.id), page)
    },
  }
}

/** The last entries in the order of their appends. A mark is the number of entries before it. */
function createTail() {
  const store = Math.random()
  const last: Appended[] = []
  let count = 0
  return {
    add({ auctionId, sequence }: Entry) {
      last.push({ auctionId, sequence })
      count += 1
      if (last.length === 2 * maxAppended) last.splice(0, maxAppended)
    },
    since(mark: string | undefined): AppendedSince {
      const [ofStore, before] = mark?.split('/') ?? []
      const missing = ofStore === String(store) ? count - Number(before) : Number.NaN
      const isKnown = missing >= 0 && missing <= maxAppended
      return { mark: `${store}/${count}`, appended: isKnown ? last.slice(last.length - missing) : undefined }
    },
  }
}

function createIdBlocks() {
  const claimed: Record<IdKind, number> = { auctions: 0, entries: 0 }
  return {
    async claimNextIdBlock(kind) {
      claimed[kind] += 1
      return claimed[kind]
    },
  } satisfies Partial<Store>
}

/** The last items of the first `end` ones, the newest first. */
const newest = <Item>(list: readonly Item[], end: number, limit: number): readonly Item[] =>
  list.slice(Math.max(0, end - limit), end).reverse()

/** The items that exist. */
const found = <Item>(items: readonly (Item | undefined)[]): readonly Item[] =>
  items.filter((item) => item !== undefined)

/** A deeply frozen copy of plain data: what is stored does not change with the objects that callers pass in or receive. */
function frozenCopy<Data extends object>(data: Data): Data {
  // The cast: a copy of an array is one, too.
  const copy = (Array.isArray(data) ? [...data] : { ...data }) as Data
  for (const name in data) {
    const part = data[name]
    if (typeof part === 'object' && part !== null) copy[name] = frozenCopy(part)
  }
  return Object.freeze(copy)
}

type PlaceOf<Item> = (item: Item) => Place

/** The number of items of a sorted list before a place. */
function countBefore<Item>(list: readonly Item[], place: Place, placeOf: PlaceOf<Item>): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = list[middle]
    if (item !== undefined && byTime(placeOf(item), place) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts an item into a sorted list. */
function insert<Item>(list: Item[], item: Item, placeOf: PlaceOf<Item>): void {
  const last = list.at(-1)
  if (last === undefined || byTime(placeOf(last), placeOf(item)) < 0) list.push(item)
  else list.splice(countBefore(list, placeOf(item), placeOf), 0, item)
}

/** The items of a sorted list after a place, or all of them. */
function* follow<Item>(
  list: readonly Item[],
  after: Place | undefined,
  placeOf: PlaceOf<Item>,
  isOldestFirst: boolean,
): Iterable<Item> {
  const step = isOldestFirst ? 1 : -1
  let index = isOldestFirst ? 0 : list.length - 1
  if (after !== undefined) {
    const before = countBefore(list, isOldestFirst ? { ...after, id: after.id + 1 } : after, placeOf)
    index = isOldestFirst ? before : before - 1
  }
  for (let item = list[index]; item !== undefined; item = list[index]) {
    yield item
    index += step
  }
}
