import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionId, ProductId, UserId } from '../values/ids.ts'
import type { UnreadableStoredError } from './errors.ts'
import type { Stage } from './stages.ts'

/** A position in a list of auctions. Ids order auctions with the same time. */
export type AuctionPosition = {
  /**
   * `newest`: by descending `createdAtMs`, then descending id. `agenda`: by ascending time on the agenda, then
   * ascending id. `ended`: by descending `endedMs`, then descending id.
   */
  readonly order: 'newest' | 'agenda' | 'ended'
  /** In milliseconds since 1970. */
  readonly timeMs: number
  readonly id: AuctionId
}

/**
 * Whether the caller of a store has stopped waiting. An AbortSignal is a CallSignal. A store may check it before it
 * begins the work, and then throws a StoreUnavailableError instead. It needs no event.
 */
export type CallSignal = { readonly aborted: boolean }

export type AuctionQuery = {
  /** The maximum number, at least 1. */
  readonly limit: number
  /** The order `agenda` lists only auctions on the agenda, and `ended` only those that have left it. */
  readonly order: AuctionPosition['order']
  /** Only auctions after this position, which has the same order as the query. */
  readonly after?: AuctionPosition | undefined
  /** With `agenda`: only auctions whose time on the agenda is not after this time. */
  readonly dueByMs?: number
  /** Only auctions in one of these different stages, at least one of which is in the order. */
  readonly stages?: readonly Stage[] | undefined
  /**
   * With `newest`: only auctions that have each of these 1 to 8 words of `wordsOf` or `searchWordsOf` in the index. A
   * store without `addTitleWords` gets none.
   */
  readonly words?: readonly string[] | undefined
  readonly ownerId?: UserId | undefined
  readonly productId?: ProductId | undefined
  readonly signal?: CallSignal | undefined
}

/** An auction in a list, with its position at the time of the read. */
export type ListedItem = { readonly auction: ListedAuction; readonly position: AuctionPosition }

export type AuctionPage = {
  readonly items: readonly ListedItem[]
  /** The errors of unreadable auctions, which the page omits. See `readEach`. */
  readonly unreadable?: readonly UnreadableStoredError[]
  /** The position of the next page; undefined at the end. */
  readonly next: AuctionPosition | undefined
}
