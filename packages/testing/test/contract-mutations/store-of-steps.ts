import { createMemoryStore } from '@auction/adapters/memory'
import { type Auction, type ListedAuction, wordsOf } from '@auction/domain/auction'
import type { UserId } from '@auction/domain/ids'
import {
  type AgendaUpdate,
  type AuctionPosition,
  type AuctionQuery,
  bidderOf,
  byKind,
  type EndStage,
  type Entry,
  type EntryPosition,
  maxScannedAuctions,
  type Stage,
  type Store,
  type StoredAuction,
  stagesOf,
} from '@auction/domain/store'
import { foundAuction } from '@auction/domain/stored'

/** The agenda item of an auction: its due time, which is its start while it is pending, or when and how it has ended. */
export type Agenda =
  | { readonly dueMs: number; readonly isPending?: boolean; readonly corrections?: number }
  | { readonly endedMs: number; readonly outcome?: EndStage }

type Due = Extract<Agenda, { readonly dueMs: number }>

function afterCheck(agenda: Agenda, checkMs: number): Agenda {
  return 'dueMs' in agenda ? { ...agenda, dueMs: Math.min(agenda.dueMs, checkMs) } : agenda
}

/** Whether a place replaces another one: after more corrections, or at a later time after as many. */
const isAfter = (next: Due, due: Due): boolean => {
  const more = (next.corrections ?? 0) - (due.corrections ?? 0)
  return more > 0 || (more === 0 && next.dueMs > due.dueMs)
}

const stageOf = (agenda: Agenda): Stage =>
  'endedMs' in agenda ? (agenda.outcome ?? 'sold') : agenda.isPending === true ? 'pending' : 'open'

type Condition = (placed: Placed) => boolean

/** The conditions of a query on words, owner and product, for each of which the store has a list. */
const conditionsOf = ({ words = [], ownerId, productId }: AuctionQuery): readonly Condition[] => [
  ...words.map((word) => (placed: Placed) => placed.words.includes(word)),
  ...(ownerId === undefined ? [] : [({ auction }: Placed) => auction.ownerId === ownerId]),
  ...(productId === undefined ? [] : [({ auction }: Placed) => auction.productId === productId]),
]

/** An auction at its position in an order. */
export type Placed = {
  readonly auction: Auction
  readonly agenda: Agenda
  readonly timeMs: number
  readonly words: readonly string[]
}

/** The steps of the store, each of which can be replaced by a wrong one. */
export type StoreSteps = {
  readonly copyIn: <Value>(value: Value) => Value
  readonly copyOut: <Value>(value: Value) => Value
  readonly isTakenAuction: (auction: StoredAuction, stored: readonly StoredAuction[]) => boolean
  readonly isTakenEntry: (entry: Entry, stored: readonly Entry[]) => boolean
  readonly beforeInsert: (() => Promise<void>) | undefined
  readonly isOfAuction: (entry: Entry, auctionId: Entry['auctionId']) => boolean
  readonly newestEntryFirst: (a: Entry, b: Entry) => number
  readonly isBefore: (entry: Entry, before: number) => boolean
  readonly isOfBidder: (entry: Entry, bidderId: UserId) => boolean
  readonly newestBidFirst: (a: Entry, b: Entry) => number
  readonly isAfterBid: (entry: Entry, position: EntryPosition) => boolean
  /** The agenda item of an auction when it is created, and after an update. */
  readonly firstAgenda: (auction: Auction) => Agenda
  readonly nextAgenda: (agenda: Agenda, update: AgendaUpdate) => Agenda
  /** The words under which a search finds an auction, when it is created and after words are added. */
  readonly firstWords: (auction: Auction) => readonly string[]
  readonly nextWords: (words: readonly string[], added: readonly string[]) => readonly string[]
  readonly inOrder: (order: AuctionPosition['order']) => (a: Placed, b: Placed) => number
  readonly comesAfter: (placed: Placed, position: AuctionPosition) => boolean
  /** Whether a list leaves out an auction without reading it. */
  readonly isPassedOver: (placed: Placed, query: AuctionQuery) => boolean
  readonly matches: (placed: Placed, query: AuctionQuery) => boolean
  /** Which of several lists is followed, by the number of auctions in each. */
  readonly chosenList: (counts: readonly number[]) => number
  readonly maxScanned: number
  readonly cut: <Item>(found: readonly Item[], limit: number) => readonly Item[]
}

export const rightSteps: StoreSteps = {
  copyIn: (value) => structuredClone(value),
  copyOut: (value) => structuredClone(value),
  isTakenAuction: ({ id, requestKey }, stored) =>
    stored.some((each) => each.id === id || (requestKey !== undefined && each.requestKey === requestKey)),
  isTakenEntry: ({ id, auctionId, sequence, requestKey }, stored) =>
    stored.some(
      (each) =>
        each.id === id ||
        (each.auctionId === auctionId && each.sequence === sequence) ||
        (requestKey !== undefined && each.requestKey === requestKey),
    ),
  beforeInsert: undefined,
  isOfAuction: (entry, auctionId) => entry.auctionId === auctionId,
  newestEntryFirst: (a, b) => b.sequence - a.sequence,
  isBefore: (entry, before) => entry.sequence < before,
  isOfBidder: (entry, bidderId) => bidderOf(entry) === bidderId,
  newestBidFirst: (a, b) => b.atMs - a.atMs || b.id - a.id,
  isAfterBid: ({ atMs, id }, position) => atMs < position.timeMs || (atMs === position.timeMs && id < position.id),
  firstAgenda: ({ createdAtMs, startTime, endTime }) =>
    createdAtMs < startTime.epochMs ? { dueMs: startTime.epochMs, isPending: true } : { dueMs: endTime.epochMs },
  nextAgenda: (agenda, { auctionId: _, ...next }) => {
    if ('checkMs' in next) return afterCheck(agenda, next.checkMs)
    return 'endedMs' in agenda || ('dueMs' in next && !isAfter(next, agenda)) ? agenda : next
  },
  firstWords: ({ title }) => wordsOf(title ?? ''),
  nextWords: (words, added) => [...words, ...added],
  inOrder: (order) => (a, b) =>
    order === 'agenda'
      ? a.timeMs - b.timeMs || a.auction.id - b.auction.id
      : b.timeMs - a.timeMs || b.auction.id - a.auction.id,
  comesAfter: ({ timeMs, auction: { id } }, position) =>
    position.order === 'agenda'
      ? timeMs > position.timeMs || (timeMs === position.timeMs && id > position.id)
      : timeMs < position.timeMs || (timeMs === position.timeMs && id < position.id),
  isPassedOver: ({ agenda, timeMs }, query) =>
    !stagesOf(query).includes(stageOf(agenda)) || (query.dueByMs !== undefined && timeMs > query.dueByMs),
  matches: (placed, query) => conditionsOf(query).every((hasIt) => hasIt(placed)),
  chosenList: (counts) => counts.indexOf(Math.min(...counts)),
  maxScanned: maxScannedAuctions,
  cut: (found, limit) => found.slice(0, limit),
}

/** A store that is correct unless a step is replaced. It keeps plain lists, so that a step may be wrong in any way. */
export function createStoreOfSteps(wrong: Partial<StoreSteps>): Store {
  const steps = { ...rightSteps, ...wrong }
  const { appendedSince: _, checkpoints: __, ...right } = createMemoryStore()
  return { ...right, ...auctionsBy(steps), ...ledgerBy(steps) }
}

function auctionsBy(steps: StoreSteps) {
  const auctions: StoredAuction[] = []
  const agendas = new Map<number, Agenda>()
  const wordsOfTitles = new Map<StoredAuction, readonly string[]>()
  const shownInList = ({ description: _, ...auction }: StoredAuction): ListedAuction => shown(auction)
  const shown = ({ requestKey: _, ...auction }: StoredAuction): Auction => steps.copyOut(auction)
  const placed = (auction: StoredAuction, order: AuctionPosition['order']): Placed => {
    const agenda = agendas.get(auction.id) ?? steps.firstAgenda(auction)
    const placeMs = 'dueMs' in agenda ? agenda.dueMs : agenda.endedMs
    const timeMs = order === 'newest' ? auction.createdAtMs : placeMs
    return { auction, agenda, words: wordsOfTitles.get(auction) ?? [], timeMs }
  }

  return {
    async insertAuction(auction) {
      if (steps.isTakenAuction(auction, auctions)) return 'taken'
      const stored = steps.copyIn(auction)
      if (steps.beforeInsert !== undefined) await steps.beforeInsert()
      auctions.push(stored)
      wordsOfTitles.set(stored, steps.firstWords(stored))
      return 'inserted'
    },
    async findAuction(id) {
      const found = auctions.find((auction) => auction.id === id)
      return found && shown(found)
    },
    async findAuctions(wanted) {
      const isWanted = ({ id, requestKey }: StoredAuction) =>
        'ids' in wanted ? wanted.ids.includes(id) : requestKey !== undefined && wanted.keys.includes(requestKey)
      return auctions.filter(isWanted).map((auction) => foundAuction(shownInList(auction), auction.requestKey))
    },
    async listAuctions(query) {
      const { order, after, limit } = query
      const all = auctions
        .map((auction) => placed(auction, order))
        .toSorted(steps.inOrder(order))
        .filter((each) => !steps.isPassedOver(each, query))
      const lists = conditionsOf(query).map((hasIt) => all.filter(hasIt))
      const list = lists[steps.chosenList(lists.map(({ length }) => length))] ?? all
      const behind = list.filter((each) => after === undefined || steps.comesAfter(each, after))
      const scanned = behind.slice(0, steps.maxScanned)
      const matching = scanned.filter((each) => steps.matches(each, query))
      const found = steps.cut(matching, limit)
      const last = matching.length > found.length || behind.length === scanned.length ? found.at(-1) : scanned.at(-1)
      const isEnd = last === undefined || (matching.length === found.length && behind.length === scanned.length)
      const positionOf = ({ timeMs, auction: { id } }: Placed): AuctionPosition => ({ order, timeMs, id })
      const items = found.map((each) => ({ auction: shownInList(each.auction), position: positionOf(each) }))
      return { items, next: isEnd ? undefined : positionOf(last) }
    },
    async addTitleWords(auctionId, words) {
      const auction = auctions.find(({ id }) => id === auctionId)
      if (auction !== undefined) wordsOfTitles.set(auction, steps.nextWords(wordsOfTitles.get(auction) ?? [], words))
    },
    async updateAgenda(updates) {
      const { places, checks } = byKind(updates)
      for (const update of [...places, ...checks]) {
        const auction = auctions.find(({ id }) => id === update.auctionId)
        if (auction !== undefined) agendas.set(auction.id, steps.nextAgenda(placed(auction, 'agenda').agenda, update))
      }
    },
  } satisfies Partial<Store>
}

function ledgerBy(steps: StoreSteps) {
  const entries: Entry[] = []
  const entriesOf = (auctionId: Entry['auctionId']) =>
    entries.filter((entry) => steps.isOfAuction(entry, auctionId)).toSorted(steps.newestEntryFirst)

  return {
    async append(batch) {
      for (const [index, entry] of batch.entries()) {
        if (steps.isTakenEntry(entry, entries)) return index
        const stored = steps.copyIn(entry)
        if (steps.beforeInsert !== undefined) await steps.beforeInsert()
        entries.push(stored)
      }
      return batch.length
    },
    async findHeads(auctionIds) {
      return auctionIds.flatMap((id) => entriesOf(id).slice(0, 1)).map((entry) => steps.copyOut(entry))
    },
    async findEntries(ids) {
      return entries.filter(({ id }) => ids.includes(id)).map((entry) => steps.copyOut(entry))
    },
    async findEntriesByKey(keys) {
      return entries
        .filter(({ requestKey }) => requestKey !== undefined && keys.includes(requestKey))
        .map((entry) => steps.copyOut(entry))
    },
    async listEntries(auctionId, { limit, before }) {
      const found = entriesOf(auctionId).filter((entry) => before === undefined || steps.isBefore(entry, before))
      return steps.cut(found, limit).map((entry) => steps.copyOut(entry))
    },
    async listBidderEntries(bidderId, { limit, after }) {
      const found = entries
        .filter((entry) => steps.isOfBidder(entry, bidderId))
        .filter((entry) => after === undefined || steps.isAfterBid(entry, after))
        .toSorted(steps.newestBidFirst)
      return steps.cut(found, limit).map((entry) => steps.copyOut(entry))
    },
  } satisfies Partial<Store>
}
