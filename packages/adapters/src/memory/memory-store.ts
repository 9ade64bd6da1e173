import type { Checkpoints } from '@auction/delivery/checkpoints'
import { type Auction, type ListedAuction, wordsOf } from '@auction/domain/auction'
import type { AuctionId, EntryId, UserId } from '@auction/domain/ids'
import type { RequestKey } from '@auction/domain/request-key'
import {
  type AgendaUpdate,
  type Appended,
  type AppendedSince,
  type AuctionPosition,
  type AuctionQuery,
  agendaStages,
  bidderOf,
  byKind,
  type CompleteStore,
  changeCountAfter,
  type Entry,
  firstStage,
  givenKeys,
  type IdKind,
  type ListedItem,
  type ListKeys,
  type ListSource,
  maxAppended,
  maxScannedAuctions,
  type StageTime,
  type Store,
  shortestSource,
  stageAfter,
  stagesOf,
} from '@auction/domain/store'
import { foundAuction } from '@auction/domain/stored'
import { createMemoryCheckpoints } from './checkpoints.ts'
import { countWhile } from './count-while.ts'

export type MemoryStore = CompleteStore & Required<Pick<Store, 'appendedSince'>> & { readonly checkpoints: Checkpoints }

/** A store in memory, for tests and for a trial of the service. Its data ends with the process. */
export function createMemoryStore(): MemoryStore {
  return { ...createAuctions(), ...createLedger(), ...createIdBlocks(), checkpoints: createMemoryCheckpoints() }
}

type StoredAuction = {
  readonly auction: Auction
  /** The auction without its description. */
  readonly listed: ListedAuction
  readonly requestKey: RequestKey | undefined
  /** The words under which a search finds it. */
  readonly words: Set<string>
  current: StageTime
  /** How often it was corrected and repaired until it had this position. */
  changeCount: number
}

/** Lists are sorted by time and id, the oldest first, so that most new items are added at the end. */
type Position = { readonly timeMs: number; readonly id: number }

const byTime = (a: Position, b: Position): number => a.timeMs - b.timeMs || a.id - b.id

const positionByCreation: PositionOf<StoredAuction> = ({ auction: { id, createdAtMs } }) => ({
  timeMs: createdAtMs,
  id,
})
const positionByStage: PositionOf<StoredAuction> = ({ auction: { id }, current: { timeMs } }) => ({ timeMs, id })

function createAuctions() {
  const byId = new Map<AuctionId, StoredAuction>()
  const byKey = new Map<RequestKey, StoredAuction>()
  const byCreation = createLists(positionByCreation)
  const byStage = createLists(positionByStage)
  const byWord = createLists(positionByCreation)

  function addToStage(stored: StoredAuction): void {
    for (const name of stageListsOf(stored)) for (const lists of [byCreation, byStage]) lists.add(name, stored)
  }

  function addWords(stored: StoredAuction, words: readonly string[]): void {
    for (const word of words.filter((word) => !stored.words.has(word))) {
      stored.words.add(word)
      byWord.add(word, stored)
    }
  }

  function updateAgenda(update: AgendaUpdate): void {
    const stored = byId.get(update.auctionId)
    if (stored === undefined || !agendaStages.includes(stored.current.stage)) return
    const next = movedBy(update, stored)
    if (next === undefined) return
    for (const name of stageListsOf(stored)) for (const lists of [byCreation, byStage]) lists.remove(name, stored)
    Object.assign(stored, next)
    addToStage(stored)
  }

  function listsOf({ order }: AuctionQuery, { of }: ListSource): readonly (readonly StoredAuction[])[] {
    if ('word' in of) return [byWord.of(of.word)]
    const lists = order === 'newest' ? byCreation : byStage
    const [name = ''] = sharedNames(of)
    return of.stages.map((stage) => lists.of(`${stage}${name}`))
  }

  return {
    async insertAuction({ requestKey, ...given }) {
      if (byId.has(given.id) || (requestKey !== undefined && byKey.has(requestKey))) return 'taken'
      const auction = frozenCopy(given)
      const { description: _, ...listed } = auction
      const words = new Set<string>()
      const stored = {
        auction,
        listed: Object.freeze(listed),
        requestKey,
        words,
        current: firstStage(auction),
        changeCount: 0,
      }
      byId.set(auction.id, stored)
      if (requestKey !== undefined) byKey.set(requestKey, stored)
      addToStage(stored)
      addWords(stored, wordsOf(auction.title ?? ''))
      return 'inserted'
    },
    findAuction: async (id) => byId.get(id)?.auction,
    async findAuctions(wanted) {
      const stored = 'ids' in wanted ? wanted.ids.map((id) => byId.get(id)) : wanted.keys.map((key) => byKey.get(key))
      return found(stored).map(({ listed, requestKey }) => foundAuction(listed, requestKey))
    },

    async listAuctions(query) {
      const { order, after, limit, dueByMs = Number.POSITIVE_INFINITY } = query
      const positionOf = order === 'newest' ? positionByCreation : positionByStage
      const items: ListedItem[] = []
      let scanned = 0
      let last: AuctionPosition | undefined
      const { source } = await shortestSource(query, async (sources) =>
        sources.map((each) => sizeOf(listsOf(query, each))),
      )
      for (const stored of follow(listsOf(query, source), after, positionOf, order === 'agenda')) {
        const position = positionOf(stored)
        if (position.timeMs > dueByMs) break
        if (items.length === limit || scanned === maxScannedAuctions) return { items, next: last }
        scanned += 1
        last = { order, timeMs: position.timeMs, id: stored.auction.id }
        if (matches(stored, query)) items.push({ auction: stored.listed, position: last })
      }
      return { items, next: undefined }
    },

    async updateAgenda(updates) {
      const { stageUpdates, checks } = byKind(updates)
      for (const update of [...stageUpdates, ...checks]) updateAgenda(update)
    },
    async addTitleWords(id, words) {
      const stored = byId.get(id)
      if (stored !== undefined) addWords(stored, words)
    },
  } satisfies Partial<Store>
}

/** The names of the list keys of an auction or of a list. */
const sharedNames = (keys: ListKeys): readonly string[] => givenKeys(keys).map(([key, value]) => ` of ${key} ${value}`)

/** The stage of an auction after an update, with its number of changes; undefined if the update changes nothing. */
function movedBy(
  update: AgendaUpdate,
  { current, changeCount }: StoredAuction,
): Pick<StoredAuction, 'current' | 'changeCount'> | undefined {
  if ('checkMs' in update) {
    const { checkMs: timeMs } = update
    return timeMs < current.timeMs ? { current: { ...current, timeMs }, changeCount } : undefined
  }
  const next = { current: stageAfter(update), changeCount: changeCountAfter(update) }
  const isLater = next.changeCount === changeCount && next.current.timeMs > current.timeMs
  return next.changeCount > changeCount || isLater ? next : undefined
}

const stageListsOf = ({ auction, current: { stage } }: StoredAuction): readonly string[] =>
  ['', ...sharedNames(auction)].map((name) => `${stage}${name}`)

const sizeOf = (lists: readonly (readonly unknown[])[]): number => lists.reduce((sum, { length }) => sum + length, 0)

const matches = ({ listed, current, words }: StoredAuction, query: AuctionQuery): boolean =>
  stagesOf(query).includes(current.stage) &&
  (query.words ?? []).every((word) => words.has(word)) &&
  givenKeys(query).every(([key, value]) => listed[key] === value)

const positionOfEntry = ({ atMs, id }: Entry): Position => ({ timeMs: atMs, id })

function createLedger() {
  /** The entry with sequence n is at n - 1. */
  const byAuction = new Map<AuctionId, Entry[]>()
  const byId = createEntriesById()
  const byKey = new Map<RequestKey, Entry>()
  const byBidder = new Map<UserId, Entry[]>()
  const tail = createTail()

  function isInserted(given: Entry): boolean {
    const { auctionId, sequence, id, requestKey } = given
    const entries = byAuction.get(auctionId) ?? []
    const isKeyTaken = requestKey !== undefined && byKey.has(requestKey)
    if (sequence <= entries.length || byId.get(id) !== undefined || isKeyTaken) return false
    if (sequence > entries.length + 1) throw new RangeError(`entry ${id} would leave a gap before its sequence`)
    const entry = frozenCopy(given)
    const bidderId = bidderOf(entry) // First, so that an entry is stored whole, or not at all.
    entries.push(entry)
    if (sequence === 1) byAuction.set(auctionId, entries)
    byId.add(entry)
    tail.add(entry)
    if (requestKey !== undefined) byKey.set(requestKey, entry)
    if (bidderId !== undefined) addToBidder(bidderId, entry)
    return true
  }

  function addToBidder(bidderId: UserId, entry: Entry): void {
    const bids = byBidder.get(bidderId) ?? []
    insert(bids, entry, positionOfEntry)
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
      return newest(bids, after === undefined ? bids.length : countBefore(bids, after, positionOfEntry), limit)
    },
  } satisfies Partial<Store>
}

/**
 * Entries in maps of a thousand ids, which are assigned in order. One map would copy all of its entries each time it grows: with a million, that
 * would block the process for longer than a request should take.
 */
function createEntriesById() {
  const pages = new Map<number, Map<EntryId, Entry>>()
  const pageOf = (id: EntryId) => Math.floor(id / 1_000)
  return {
    get: (id: EntryId) => pages.get(pageOf(id))?.get(id),
    add(entry: Entry) {
      const page = pages.get(pageOf(entry.id)) ?? new Map<EntryId, Entry>()
      page.set(entry.id, entry)
      if (page.size === 1) pages.set(pageOf(entry.id), page)
    },
  }
}

let stores = 0

/** The last entries in the order of their appends. A mark is the number of its store, and that of the entries before it. */
function createTail() {
  stores += 1
  const store = stores
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

type PositionOf<Item> = (item: Item) => Position

/** The number of items of a sorted list before a position. */
const countBefore = <Item>(list: readonly Item[], position: Position, positionOf: PositionOf<Item>): number =>
  countWhile(list, (item) => byTime(positionOf(item), position) < 0)

/** Inserts an item into a sorted list. */
function insert<Item>(list: Item[], item: Item, positionOf: PositionOf<Item>): void {
  const last = list.at(-1)
  if (last === undefined || byTime(positionOf(last), positionOf(item)) < 0) list.push(item)
  else list.splice(countBefore(list, positionOf(item), positionOf), 0, item)
}

/** Sorted lists by their names. */
function createLists<Item>(positionOf: PositionOf<Item>) {
  const lists = new Map<string, Item[]>()
  return {
    of: (name: string): readonly Item[] => lists.get(name) ?? [],
    add(name: string, item: Item) {
      const list = lists.get(name) ?? []
      insert(list, item, positionOf)
      if (list.length === 1) lists.set(name, list)
    },
    remove(name: string, item: Item) {
      const list = lists.get(name) ?? []
      list.splice(countBefore(list, positionOf(item), positionOf), 1)
      if (list.length === 0) lists.delete(name)
    },
  }
}

/** The items of sorted lists after a position, or all of them, in one order. */
function* follow<Item>(
  lists: readonly (readonly Item[])[],
  after: Position | undefined,
  positionOf: PositionOf<Item>,
  isOldestFirst: boolean,
): Iterable<Item> {
  const step = isOldestFirst ? 1 : -1
  const next = lists.map((list) => {
    if (after === undefined) return isOldestFirst ? 0 : list.length - 1
    const before = countBefore(list, isOldestFirst ? { ...after, id: after.id + 1 } : after, positionOf)
    return isOldestFirst ? before : before - 1
  })
  for (;;) {
    let first: { readonly item: Item; readonly of: number } | undefined
    for (const [of, list] of lists.entries()) {
      const item = list[next[of] ?? 0]
      if (item === undefined) continue
      if (first === undefined || byTime(positionOf(item), positionOf(first.item)) * step < 0) first = { item, of }
    }
    if (first === undefined) return
    yield first.item
    next[first.of] = (next[first.of] ?? 0) + step
  }
}
