import type { Auction, ListedAuction } from './auction/auction.ts'
import type { AuctionStatus } from './auction/status.ts'
import type { AuctionId, BidId, ProductId, UserId } from './ids.ts'
import type { Entry } from './ledger/entry.ts'
import type { RequestKey } from './request-key.ts'
import type { UnreadableStoredError } from './unreadable-stored.ts'

/** An auction as it is stored: with the key of the request that made it, if it had one. */
export type StoredAuction = Auction & { readonly requestKey?: RequestKey }

/** A place among auctions in the order in which they are listed. */
export type AuctionPosition =
  /** Newest first, and of those created in one millisecond the higher id first. */
  | { readonly order: 'newest'; readonly createdAtMs: number; readonly id: AuctionId }
  /** The soonest end first, and of those that end in one millisecond the lower id first. */
  | { readonly order: 'endTime'; readonly endMs: number; readonly id: AuctionId }

/** Where an auction stands in an order. */
export const positionOf = (
  order: AuctionPosition['order'],
  { id, createdAtMs, endTime }: Pick<Auction, 'id' | 'createdAtMs' | 'endTime'>,
): AuctionPosition => (order === 'newest' ? { order, createdAtMs, id } : { order, endMs: endTime.epochMs, id })

/**
 * Whether a caller has stopped waiting for a read; an AbortSignal is one. A store that has not begun the read by then does not make
 * it, and throws a StoreUnavailableError. It looks when the read's turn comes, so the signal needs no event.
 */
export type ReadSignal = { readonly aborted: boolean }

export type AuctionQuery = {
  /** How many at the most, at least 1. */
  readonly limit: number
  /** In the order of ends, only the status `Active` may be asked for, or none. */
  readonly order: AuctionPosition['order']
  /** Only what comes after this place; its order is the query's. */
  readonly after?: AuctionPosition
  /**
   * Only auctions that may have this status at `nowMs`, as far as their terms tell: see `mayHaveStatus`. In the order of ends it
   * leaves out auctions past their `endTime`, though some may be open still: those are asked for by `inOvertimeAtMs`.
   */
  readonly status?: { readonly is: AuctionStatus; readonly nowMs: number }
  /**
   * In the order of ends: only auctions past their `endTime` that may be open still at that time, as far as their terms tell: see
   * `mayBeInOvertime`. Their `endTime` lies within `maxOvertimeMs` before it. Not together with a status.
   */
  readonly inOvertimeAtMs?: number
  readonly ownerId?: UserId
  readonly productId?: ProductId
  readonly signal?: ReadSignal | undefined
}

export type AuctionPage = {
  readonly auctions: readonly ListedAuction[]
  /** Why auctions of the page are left out of it, where some can't be read: `readEach` makes both of the rows. */
  readonly unreadable?: readonly UnreadableStoredError[]
  /** From where the search goes on; undefined when it has reached the end. */
  readonly next: AuctionPosition | undefined
}

/** How many auctions a store looks at for one page, at the most. A page for which few match is then short, and has a `next`. */
export const maxScannedAuctions = 1_000

export type EntryQuery = {
  /** How many at the most, at least 1. */
  readonly limit: number
  /** Only entries of a lower sequence, that is, older ones; at least 1. */
  readonly before?: number
  readonly signal?: ReadSignal | undefined
}

export type Appended = {
  /** How many of the entries are stored, from the first on. Below their number, a key of the next one was taken. */
  readonly stored: number
}

/** What ids are claimed for. Periods are of time: who claims one has seen that all auctions which ended by then are closed. */
export type IdKind = 'auctions' | 'entries' | 'periods'

/**
 * Everything that the domain asks of a store. What correctness rests on is small: durable inserts that fail when a key is taken,
 * and reads that see every write that was answered, and what took a key once somebody was told that it is taken. Nothing that is
 * stored ever changes.
 *
 * Any operations may be under way at once. Any may throw a StoreUnavailableError when the store can't be asked or does not
 * answer; what it was to write is then stored, or not, or will be later. Reads throw an UnreadableStoredError for what is stored
 * and can't be read, as the parsers of `stored` do; lists of auctions leave that out instead. Stores do not retry: whoever asks looks for what is
 * stored, and sends the rest again.
 */
export interface Store {
  /** How many groups of auctions are written independently of each other, at least 1: the shards of a cluster, say. */
  readonly partitions: number
  /** The partition of an auction, from 0 on; always the same for one auction. */
  partitionOf(auctionId: AuctionId): number

  /** Stores the auction durably, or returns `taken` when its id or its key is stored already, and changes nothing. */
  insertAuction(auction: StoredAuction): Promise<'inserted' | 'taken'>
  findAuction(id: AuctionId): Promise<Auction | undefined>
  findAuctionByKey(key: RequestKey): Promise<Auction | undefined>
  /**
   * Lists auctions without their descriptions, which are not read for it, in the order of the query, and looks at no more than
   * `maxScannedAuctions` of them. In the order of ends, a list of active auctions begins behind those whose `endTime` is over,
   * which are not looked at; neither are auctions without a soft close where those in overtime are asked for.
   */
  listAuctions(query: AuctionQuery): Promise<AuctionPage>

  /**
   * Stores entries of any auctions of one partition durably in the order given, up to the first of which a key is taken; that
   * one and all behind it are not stored. The keys of an entry are its auction and sequence, its id, and its `requestKey`.
   */
  append(entries: readonly Entry[]): Promise<Appended>
  /** The last entry of each of the auctions that has any, in any order. */
  findHeads(auctionIds: readonly AuctionId[], signal?: ReadSignal): Promise<readonly Entry[]>
  /** Those of the entries that are stored, in any order. Where their partition is named, no other need be asked. */
  findEntries(ids: readonly BidId[], partition?: number): Promise<readonly Entry[]>
  /**
   * Those of the keys' entries that are stored, in any order. A key may be named twice. Where a partition is named, no other need
   * be asked.
   */
  findEntriesByKey(keys: readonly RequestKey[], partition?: number): Promise<readonly Entry[]>
  /** The auction's entries, newest first. */
  listEntries(auctionId: AuctionId, query: EntryQuery): Promise<readonly Entry[]>

  /** Claims a block of ids durably, or returns `taken` when somebody has it. */
  claimIdBlock(kind: IdKind, block: number): Promise<'claimed' | 'taken'>
  /** The highest block that is claimed, if any is. */
  highestIdBlock(kind: IdKind): Promise<number | undefined>
}
