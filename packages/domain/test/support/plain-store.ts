import type { Auction, ListedAuction } from '../../src/auction/auction.ts'
import { maxOvertimeMs } from '../../src/auction/ends.ts'
import { mayBeInOvertime, mayHaveStatus } from '../../src/auction/status.ts'
import type { Entry } from '../../src/ledger/entry.ts'
import {
  type AuctionPosition,
  type AuctionQuery,
  type IdKind,
  maxScannedAuctions,
  type Store,
  type StoredAuction,
} from '../../src/store.ts'

/** The steps of the plainest store, each of which can be swapped for a wrong one. */
export type PlainStoreSteps = {
  readonly copyIn: <Value>(value: Value) => Value
  readonly copyOut: <Value>(value: Value) => Value
  readonly isTakenAuction: (auction: StoredAuction, stored: readonly StoredAuction[]) => boolean
  readonly isTakenEntry: (entry: Entry, stored: readonly Entry[]) => boolean
  readonly beforeInsert: (() => Promise<void>) | undefined
  readonly isOfAuction: (entry: Entry, auctionId: Entry['auctionId']) => boolean
  readonly newestEntryFirst: (a: Entry, b: Entry) => number
  readonly isBefore: (entry: Entry, before: number) => boolean
  readonly inOrder: (order: AuctionPosition['order']) => (a: Auction, b: Auction) => number
  readonly isBehind: (auction: Auction, position: AuctionPosition) => boolean
  /** Whether a list leaves an auction out without looking at it. */
  readonly isPassedOver: (auction: Auction, query: AuctionQuery) => boolean
  readonly matches: (auction: Auction, query: AuctionQuery) => boolean
  readonly maxScanned: number
  readonly cut: <Item>(found: readonly Item[], limit: number) => readonly Item[]
  readonly claimed: (kind: IdKind) => string
}

export const positionOf = (order: AuctionPosition['order'], { id, createdAtMs, endTime }: Auction): AuctionPosition =>
  order === 'newest' ? { order, createdAtMs, id } : { order, endMs: endTime.epochMs, id }

const byPosition = (order: AuctionPosition['order']) => (a: Auction, b: Auction) =>
  order === 'newest'
    ? b.createdAtMs - a.createdAtMs || b.id - a.id
    : a.endTime.epochMs - b.endTime.epochMs || a.id - b.id

export const rightSteps: PlainStoreSteps = {
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
  inOrder: byPosition,
  isBehind: (auction, position) =>
    position.order === 'newest'
      ? auction.createdAtMs < position.createdAtMs ||
        (auction.createdAtMs === position.createdAtMs && auction.id < position.id)
      : auction.endTime.epochMs > position.endMs ||
        (auction.endTime.epochMs === position.endMs && auction.id > position.id),
  isPassedOver: ({ endTime, softClose }, { order, status, inOvertimeAtMs }) =>
    (order === 'endTime' && status !== undefined && endTime.epochMs <= status.nowMs) ||
    (inOvertimeAtMs !== undefined &&
      (softClose === undefined ||
        endTime.epochMs > inOvertimeAtMs ||
        endTime.epochMs <= inOvertimeAtMs - maxOvertimeMs)),
  matches: (auction, { status, inOvertimeAtMs, ownerId, productId }) =>
    (status === undefined || mayHaveStatus(auction, status.is, status.nowMs)) &&
    (inOvertimeAtMs === undefined || mayBeInOvertime(auction, inOvertimeAtMs)) &&
    (ownerId === undefined || auction.ownerId === ownerId) &&
    (productId === undefined || auction.productId === productId),
  maxScanned: maxScannedAuctions,
  cut: (found, limit) => found.slice(0, limit),
  claimed: (kind) => kind,
}

/** A store in memory that is right unless a step is swapped: slow and plain, to be read and trusted at a glance. */
export function createPlainStore(swapped: Partial<PlainStoreSteps> = {}, partitions = 1): Store {
  const steps = { ...rightSteps, ...swapped }
  const auctions: StoredAuction[] = []
  const entries: Entry[] = []
  const blocks = new Map<string, Set<number>>()
  const blocksOf = (kind: IdKind): Set<number> => {
    const name = steps.claimed(kind)
    const found = blocks.get(name) ?? new Set()
    blocks.set(name, found)
    return found
  }
  const entriesOf = (auctionId: Entry['auctionId']) =>
    entries.filter((entry) => steps.isOfAuction(entry, auctionId)).toSorted(steps.newestEntryFirst)
  const shownInList = ({ description: _, ...auction }: StoredAuction): ListedAuction => shown(auction)
  const shown = ({ requestKey: _, ...auction }: StoredAuction): Auction => steps.copyOut(auction)

  return {
    partitions,
    partitionOf: (auctionId) => auctionId % partitions,

    async insertAuction(auction) {
      if (steps.isTakenAuction(auction, auctions)) return 'taken'
      const stored = steps.copyIn(auction)
      if (steps.beforeInsert !== undefined) await steps.beforeInsert()
      auctions.push(stored)
      return 'inserted'
    },
    async findAuction(id) {
      const found = auctions.find((auction) => auction.id === id)
      return found && shown(found)
    },
    async findAuctionByKey(key) {
      const found = auctions.find(({ requestKey }) => requestKey === key)
      return found && shown(found)
    },
    async listAuctions(query) {
      const { order, after, limit } = query
      const behind = auctions
        .toSorted(steps.inOrder(order))
        .filter((auction) => after === undefined || steps.isBehind(auction, after))
        .filter((auction) => !steps.isPassedOver(auction, query))
      const scanned = behind.slice(0, steps.maxScanned)
      const matching = scanned.filter((auction) => steps.matches(auction, query))
      const found = steps.cut(matching, limit)
      const last = matching.length > found.length || behind.length === scanned.length ? found.at(-1) : scanned.at(-1)
      const isEnd = last === undefined || (matching.length === found.length && behind.length === scanned.length)
      return { auctions: found.map(shownInList), next: isEnd ? undefined : positionOf(order, last) }
    },

    async append(batch) {
      for (const [index, entry] of batch.entries()) {
        if (steps.isTakenEntry(entry, entries)) return { stored: index }
        const stored = steps.copyIn(entry)
        if (steps.beforeInsert !== undefined) await steps.beforeInsert()
        entries.push(stored)
      }
      return { stored: batch.length }
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

    async claimIdBlock(kind, block) {
      if (blocksOf(kind).has(block)) return 'taken'
      blocksOf(kind).add(block)
      return 'claimed'
    },
    async highestIdBlock(kind) {
      const claimed = blocksOf(kind)
      return claimed.size === 0 ? undefined : Math.max(...claimed)
    },
  }
}
