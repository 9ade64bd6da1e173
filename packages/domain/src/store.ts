import type { Auction, ListedAuction } from './auction/auction.ts'
import type { AuctionId, BidId, ProductId, UserId } from './ids.ts'
import type { Entry } from './ledger/entry.ts'
import type { RequestKey } from './request-key.ts'
import type { UnreadableStoredError } from './unreadable-stored.ts'

/** An auction as it is stored: with the key of the request that made it, if it had one. */
export type StoredAuction = Auction & { readonly requestKey?: RequestKey }

/** A place among auctions in the order in which they are listed; of two at one time, ids decide. */
export type AuctionPosition = {
  /**
   * `newest`: by `createdAtMs`, the newest first, and of those created in one millisecond the higher id first. `agenda`: by their
   * places on the agenda, the soonest first, and of those of one millisecond the lower id first.
   */
  readonly order: 'newest' | 'agenda'
  /** In milliseconds since 1970. */
  readonly timeMs: number
  readonly id: AuctionId
}

/**
 * Whether the caller of a store has stopped waiting for its answer; an AbortSignal is one. A store that has not begun the work by
 * then does not do it, and throws a StoreUnavailableError. It looks when the work's turn comes, so the signal needs no event.
 */
export type CallSignal = { readonly aborted: boolean }

export type AuctionQuery = {
  /** How many at the most, at least 1. */
  readonly limit: number
  /** In the order `agenda`, only auctions that have a place on it are listed. */
  readonly order: AuctionPosition['order']
  /** Only what comes after this place; its order is the query's. */
  readonly after?: AuctionPosition
  /** In the order `agenda`: only auctions whose time on it is not after this one. */
  readonly dueByMs?: number
  /** In the order `newest`: only auctions that have a place on the agenda. */
  readonly onlyOpen?: boolean
  readonly ownerId?: UserId
  readonly productId?: ProductId
  readonly signal?: CallSignal | undefined
}

/** An auction of a list, with its place in the list's order as it was when it was read. */
export type ListedItem = { readonly auction: ListedAuction; readonly position: AuctionPosition }

export type AuctionPage = {
  readonly items: readonly ListedItem[]
  /** Why auctions of the page are left out of it, where some can't be read: `readEach` makes both of the rows. */
  readonly unreadable?: readonly UnreadableStoredError[]
  /** From where the search goes on; undefined when it has reached the end. */
  readonly next: AuctionPosition | undefined
}

/** How many auctions a store looks at for one page, at the most. A page for which few match is then short, and has a `next`. */
export const maxScannedAuctions = 1_000

/** What is new about an auction's place on the agenda: it is looked at next at `dueMs`, or it has ended at `endedMs` and has none. */
export type AgendaUpdate = { readonly auctionId: AuctionId } & (
  | { readonly dueMs: number }
  | { readonly endedMs: number }
)

export type EntryQuery = {
  /** How many at the most, at least 1. */
  readonly limit: number
  /** Only entries of a lower sequence, that is, older ones; at least 1. */
  readonly before?: number
  readonly signal?: CallSignal | undefined
}

export type AppendOptions = {
  /**
   * Another process has been first in this auction lately, so this append is likely to find a key taken. A store that gathers
   * appends for one write keeps it from delaying others.
   */
  readonly isContended?: boolean
  readonly signal?: CallSignal
}

/** What ids are claimed for. */
export type IdKind = 'auctions' | 'entries'

/**
 * Everything that the domain asks of a store. What correctness rests on is small: durable inserts that fail when a key is taken,
 * and reads that see every write that was answered, and what took a key once somebody was told that it is taken. Nothing that is
 * stored ever changes, except for one hint of each auction: its place on the agenda.
 *
 * Any operations may be under way at once, appends of many auctions above all: a store may gather them for one write, with
 * `createGroupCommit`. Any may throw a StoreUnavailableError, with its `cause`, when the store can't be asked or does not
 * answer; what it was to write is then stored, or not, or will be later. Reads throw an UnreadableStoredError for what is stored
 * and can't be read, as the parsers of `stored` do; lists of auctions leave that out instead. Stores do not retry: whoever asks
 * looks for what is stored, and sends the rest again.
 */
export interface Store {
  /**
   * Stores the auction durably, on the agenda at its `endTime`, or returns `taken` when its id or its key is stored already, and
   * changes nothing.
   */
  insertAuction(auction: StoredAuction): Promise<'inserted' | 'taken'>
  findAuction(id: AuctionId): Promise<Auction | undefined>
  findAuctionByKey(key: RequestKey): Promise<Auction | undefined>
  /**
   * Lists auctions without their descriptions, which are not read for it, in the order of the query, and looks at no more than
   * `maxScannedAuctions` of them.
   */
  listAuctions(query: AuctionQuery): Promise<AuctionPage>
  /**
   * Changes places on the agenda, durably or not. A place only moves to later times, and an auction that has ended never gets one
   * again: an update that would do either changes nothing, and neither does one of an unknown auction. An auction whose place was
   * read may have another by then, so an update that is lost costs whoever reads the agenda one look at the auction's ledger.
   */
  updateAgenda(updates: readonly AgendaUpdate[]): Promise<void>

  /**
   * Stores entries of one auction durably in the order given, up to the first of which a key is taken; that one and all behind it
   * are not stored. Returns how many are. The keys of an entry are its auction and sequence, its id, and its `requestKey`.
   */
  append(entries: readonly Entry[], options?: AppendOptions): Promise<number>
  /** The last entry of each of the auctions that has any, in any order. */
  findHeads(auctionIds: readonly AuctionId[], signal?: CallSignal): Promise<readonly Entry[]>
  /** Those of the entries that are stored, in any order. */
  findEntries(ids: readonly BidId[], signal?: CallSignal): Promise<readonly Entry[]>
  /** Those of the keys' entries that are stored, in any order. A key may be named twice. */
  findEntriesByKey(keys: readonly RequestKey[], signal?: CallSignal): Promise<readonly Entry[]>
  /** The auction's entries, newest first. */
  listEntries(auctionId: AuctionId, query: EntryQuery): Promise<readonly Entry[]>

  /** Claims a block of ids durably, or returns `taken` when somebody has it. */
  claimIdBlock(kind: IdKind, block: number): Promise<'claimed' | 'taken'>
  /** The highest block that is claimed, if any is. */
  highestIdBlock(kind: IdKind): Promise<number | undefined>
}
