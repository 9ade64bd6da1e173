import type { Auction, ListedAuction } from '../auction/auction.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import type { DirectoryEntry } from '../ledger/directory-entry.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { RegisterEntry, RegisterListed } from '../register/events.ts'
import type { SaleEntry, SaleListed } from '../sale/events.ts'
import type { AuctionId, EntryId, UserId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import type { AgendaUpdate } from './agenda-update.ts'
import type { AuctionPage, AuctionQuery, CallSignal } from './auction-query.ts'

export { type AuctionEntry, apartOf, bidderOf } from '../auction/entry.ts'
export type { DirectoryEntry } from '../ledger/directory-entry.ts'
export type { LedgerEntry } from '../ledger/entry.ts'
export type { RegisterEntry, RegisterListed } from '../register/events.ts'
export type { SaleEntry, SaleListed } from '../sale/events.ts'
export {
  type AgendaCheck,
  type AgendaUpdate,
  byKind,
  changeCountAfter,
  type StageUpdate,
  stageAfter,
} from './agenda-update.ts'
export {
  type AuctionPage,
  type AuctionPosition,
  type AuctionQuery,
  auctionPages,
  type CallSignal,
  givenKeys,
  keysIn,
  type ListedItem,
  type ListKey,
  type ListKeys,
  listKeys,
} from './auction-query.ts'
export { type ListSource, maxScannedAuctions, shortestSource } from './list-sources.ts'
export {
  agendaStages,
  type EndStage,
  firstStage,
  numberOfStage,
  type Stage,
  type StageTime,
  stages,
  stagesOf,
} from './stages.ts'

/** An entry of an auction, which is what most code reads: it knows the kind of a ledger by its id. */
export type Entry = AuctionEntry

/**
 * An entry of any kind of ledger, which is what a store keeps. Those of other kinds have a `kind`, and no auction.
 * `auctionId` is the id of the ledger: one of the same blocks for all kinds, or a reserved one.
 */
export type AnyEntry = Entry | RegisterEntry | SaleEntry | DirectoryEntry<RegisterListed> | DirectoryEntry<SaleListed>

/** A stored auction, with the key of the request that created it, if any. */
export type StoredAuction = Auction & { readonly requestKey?: RequestKey }

/** A found auction without its description, and the key of the request that created it, if any. */
export type FoundAuction = { readonly auction: ListedAuction; readonly requestKey?: RequestKey }

/** Which auctions to find: those with these ids, or those that requests with these keys created. */
export type WantedAuctions = { readonly ids: readonly AuctionId[] } | { readonly keys: readonly RequestKey[] }

export type EntryQuery = {
  /** The maximum number, at least 1. */
  readonly limit: number
  /** Only older entries, with a lower sequence; at least 1. */
  readonly before?: number | undefined
  readonly signal?: CallSignal | undefined
}

/** A position in a list of a bidder's entries. Ids order entries with the same time. */
export type EntryPosition = {
  /** The `atMs` of the entry. */
  readonly timeMs: number
  readonly id: EntryId
}

export type BidderQuery = {
  /** The maximum number, at least 1. */
  readonly limit: number
  /** Only entries after this position, at which there need not be an entry. */
  readonly after?: EntryPosition | undefined
  readonly signal?: CallSignal | undefined
}

/** Where to find entries. */
export type EntryLookup = {
  /** The ledgers of the entries, if known. A store of several parts asks only the parts that have these. */
  readonly auctionIds?: readonly AuctionId[] | undefined
  readonly signal?: CallSignal | undefined
}

export type AppendOptions = {
  /**
   * Another process recently appended to this auction first, so this append is likely to conflict. A store that
   * combines appends must not let it delay others.
   */
  readonly isContended?: boolean
  readonly signal?: CallSignal
}

/** The maximum number of `Appended` in a response of `appendedSince`. */
export const maxAppended = 4_000

/** An auction with new entries, and the sequence of one of them. */
export type Appended = { readonly auctionId: AuctionId; readonly sequence: number }

/** What became visible after a mark. */
export type AppendedSince = {
  /** The mark for the next call. */
  readonly mark: string
  /**
   * The auction of each entry that became visible between the two marks, with its sequence or a higher visible one. An
   * auction may occur more than once, and one without new entries may occur, too. Undefined if the store does not know.
   */
  readonly appended: readonly Appended[] | undefined
}

/** The kinds of id blocks. */
export type IdKind = 'auctions' | 'entries'

/**
 * The store port of the domain. Correctness depends on two properties. Inserts are durable and fail if a key is taken.
 * Reads return every completed write, and the record that took a key once a call reported the key as taken. Stored data
 * never changes, except the stage of each auction with its time and the words under which a search finds it.
 *
 * A store keeps ledgers of any kind, whether or not it has an auction with the id of the ledger, and all members of an
 * entry, whatever these are. Only auctions are listed, and are on the agenda.
 *
 * Operations may run concurrently, especially appends to many ledgers: a store may combine them with
 * `createGroupCommit`. Any operation may throw a StoreUnavailableError, with a `cause`, if the store is unavailable or
 * does not respond; its write may then be stored, not stored, or stored later. Reads throw an UnreadableStoredError for
 * unreadable data, as the parsers of `stored` do; lists of auctions skip it instead. Stores do not retry: the caller
 * checks what is stored, and sends the rest again.
 *
 * `findAuctions`, `findHeads`, `findEntries` and `findEntriesByKey` may receive an id or a key more than once, and then
 * return its record once or more than once. A service does not close its store: see `ClosableStore`.
 */
export interface Store<Stored extends LedgerEntry = Entry> {
  /**
   * Stores the auction durably, on the agenda at its `firstStage`, and in the search index, if the store has one, under
   * each of the `wordsOf` its title. Changes nothing and returns `taken` if its id or its key exists.
   */
  insertAuction(auction: StoredAuction): Promise<'inserted' | 'taken'>
  findAuction(id: AuctionId): Promise<Auction | undefined>
  /** The auctions with these ids or keys that exist, in any order, without their descriptions. */
  findAuctions(wanted: WantedAuctions, signal?: CallSignal): Promise<readonly FoundAuction[]>
  /** Lists auctions in the order of the query, without descriptions. Reads at most `maxScannedAuctions` auctions. */
  listAuctions(query: AuctionQuery): Promise<AuctionPage>
  /**
   * Changes positions on the agenda, and stages. It need not be durable. A position after more corrections and repairs
   * replaces one after fewer; a new auction has 0. With the same number, positions move only to later times. An ended
   * auction does not return and keeps its `endedMs` and `outcome`. An update that would do otherwise, or that is of an
   * unknown auction, changes nothing. A check moves an auction to an earlier time only, whatever its number of changes.
   * The loss of another update costs one extra read of the auction's ledger; an auction that ended early is then closed
   * when it is due at its earlier position, and lists of ended auctions lack it until then.
   */
  updateAgenda(updates: readonly AgendaUpdate[]): Promise<void>
  /**
   * Optional, as the search of titles is: a store without it keeps no words, and its `listAuctions` gets none. Adds
   * words of a corrected title durably to those in the search index. Ignores an unknown auction.
   */
  addTitleWords?(auctionId: AuctionId, words: readonly string[]): Promise<void>

  /**
   * Stores entries of one ledger durably and in order, up to the first entry with a taken key. That entry and all
   * after it are not stored. Returns the number of stored entries. The keys of an entry are its ledger and sequence,
   * its id, and its `requestKey`.
   */
  append(entries: readonly Stored[], options?: AppendOptions): Promise<number>
  /** The last entry of each ledger that has entries, in any order. */
  findHeads(auctionIds: readonly AuctionId[], signal?: CallSignal): Promise<readonly Stored[]>
  /** The entries that exist, in any order. Those of other ledgers than `auctionIds` may be missing. */
  findEntries(ids: readonly EntryId[], lookup?: EntryLookup): Promise<readonly Stored[]>
  /**
   * The entries of the keys that exist, in any order. Those of other ledgers than `auctionIds` may be missing if the
   * store would store their keys for these ledgers, too.
   */
  findEntriesByKey(keys: readonly RequestKey[], lookup?: EntryLookup): Promise<readonly Stored[]>
  /** The entries of the ledger, newest first. */
  listEntries(auctionId: AuctionId, query: EntryQuery): Promise<readonly Stored[]>
  /**
   * Optional. The entries of all auctions whose `bidderOf` is this user, by descending `atMs`, then descending id. The
   * id is negative for secret bids. A `maximum-raised` and the `automatic` bids of others' entries are not listed.
   */
  listBidderEntries?(bidderId: UserId, query: BidderQuery): Promise<readonly AuctionEntry[]>

  /**
   * Claims the block of ids after all claimed ones of its kind durably, and returns its number. The first is 1. No
   * block is returned twice. A call that fails may have claimed a block, which then is never returned.
   */
  claimNextIdBlock(kind: IdKind): Promise<number>

  /**
   * Optional, for a store that knows which entries of all handles became visible after a mark, at a cost that depends
   * on their number only. The first call has no mark. A transaction that commits late counts at its commit.
   *
   * The store does not know without a mark, with a mark of other data or of another server, as after the restore of a
   * backup or a failover, and with more than `maxAppended`. It never fails because of a mark. Returns undefined if the
   * server does not support it.
   *
   * A service with watched auctions calls it 40 times a second. It reads their last entries when the store does not
   * know, and a few of them at a time in case the store errs.
   */
  appendedSince?(mark: string | undefined): Promise<AppendedSince | undefined>

  /**
   * Optional, for a store whose parts may fail separately, such as shards: the number of the part that has the entries
   * of a ledger. Concurrent reads of different parts then share no call. There are at most some hundred parts.
   */
  partOf?(auctionId: AuctionId): number
}

/** A store that searches titles and lists the bids of a bidder. */
export type CompleteStore = Store & Required<Pick<Store, OptionalOperation>>

/** What a store may lack. A service then throws an UnsupportedByStoreError for what needs it. */
export type OptionalOperation = 'addTitleWords' | 'listBidderEntries'

/** A store with connections or files. Its owner closes it after the services that use it. */
export interface ClosableStore extends Store {
  /**
   * Resolves when no call is in flight and all connections are closed. A call in flight completes, or fails with a
   * StoreUnavailableError, whose write may be stored: a store that waits for its database completes them, as SQLite's
   * and `closable` do, and one that closes its connections first fails them, as those of PostgreSQL and MongoDB do.
   * Later calls fail with a StoreUnavailableError. May be called more than once.
   */
  close(): Promise<void>
}
