import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionId } from '../values/ids.ts'
import type { UnreadableStoredError } from './errors.ts'
import type { Stage } from './stages.ts'

/**
 * The fields by which a list may be limited to auctions with one value. A store has a column and indexes for each: see
 * `maxScannedAuctions`. A new one needs those in the schema of each store, and a parameter of the HTTP API.
 */
export const listKeys = ['ownerId', 'productId'] as const satisfies readonly (keyof ListedAuction)[]
export type ListKey = (typeof listKeys)[number]

/** The values of some list keys. */
export type ListKeys = { readonly [Key in ListKey]?: ListedAuction[Key] | undefined }

/** The list keys that have a value, in their order, each with its value. */
export const givenKeys = (from: ListKeys): readonly (readonly [ListKey, NonNullable<ListKeys[ListKey]>])[] =>
  listKeys.flatMap((key) => {
    const value = from[key]
    return value === undefined ? [] : [[key, value] as const]
  })

/** The list keys of a query, without its other members. */
export const keysIn = (query: ListKeys): ListKeys => Object.fromEntries(givenKeys(query))

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

export type AuctionQuery = ListKeys & {
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
   * The list `newest` has only auctions that have each of these 1 to 8 words of `wordsOf` in the index. A store without
   * `addTitleWords` gets none.
   */
  readonly words?: readonly string[] | undefined
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

/** The pages of a list, each of which is read when the loop needs it. */
export async function* auctionPages(
  store: { listAuctions(query: AuctionQuery): Promise<AuctionPage> },
  query: AuctionQuery,
): AsyncGenerator<AuctionPage, void> {
  let { after } = query
  do {
    const page = await store.listAuctions({ ...query, after })
    yield page
    after = page.next
  } while (after !== undefined)
}
