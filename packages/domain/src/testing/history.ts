import type { NewAuction } from '../auction/auction.ts'
import type { Bid, NewBid } from '../auction/bid.ts'
import type { AuctionResult } from '../auction/state.ts'
import type { AuctionStatus } from '../auction/status.ts'
import type { AuctionId, UserId } from '../ids.ts'
import type { Entry } from '../ledger/entry.ts'
import type { AmountMinor } from '../money.ts'
import type { StoredAuction } from '../store.ts'
import type { Purchase } from '../use-cases/buy-now.ts'
import type { Cancellation } from '../use-cases/cancel-auction.ts'

/** Any refusal, by its code. One whose code says nothing of the request (`overloaded`, say) need only be of nothing that was done. */
export type Refused = {
  readonly outcome: 'refused'
  readonly code: string
  /** The figures of `bid-too-low` and of `buy-now-not-offered`. */
  readonly currentPriceMinor?: AmountMinor
  readonly minimumNextBidMinor?: AmountMinor | undefined
}

/** No answer, or one that says that the outcome is unknown: it may be done, or not, or be done later. */
export type Unknown = { readonly outcome: 'unknown' }

/** When a client sent a request, and when it had the answer, in milliseconds since 1970 by one clock that all clients share. */
type Times = { readonly sentAtMs: number; readonly answeredAtMs: number }

/** What a client named its request with, unique among callers and operations: the last part of a `RequestKey`. */
type Keyed = { readonly key?: string }

/** One request of a client, and what it was told. Those of one key are tries of one request. */
export type Attempt =
  | (Times &
      Keyed & {
        readonly type: 'create-auction'
        readonly auction: NewAuction
        readonly answer: { readonly outcome: 'accepted'; readonly auction: SeenTerms } | Refused | Unknown
      })
  | (Times &
      Keyed & {
        readonly type: 'place-bid'
        readonly bid: NewBid
        readonly answer: { readonly outcome: 'accepted'; readonly bid: SeenBid } | Refused | Unknown
      })
  | (Times &
      Keyed & {
        readonly type: 'buy-now'
        readonly purchase: Purchase
        readonly answer: EndedByRequest | Refused | Unknown
      })
  | (Times &
      Keyed & {
        readonly type: 'cancel-auction'
        readonly cancellation: Cancellation
        readonly answer: EndedByRequest | Refused | Unknown
      })
  | (Times & {
      readonly type: 'read-auction'
      readonly auctionId: AuctionId
      readonly answer: { readonly outcome: 'read'; readonly auction: SeenAuction } | Refused | Unknown
    })
  | (Times & {
      readonly type: 'list-auctions'
      readonly query: {
        readonly order?: 'newest' | 'agenda'
        readonly status?: AuctionStatus
        readonly ownerId?: UserId
      }
      readonly answer: Listed | Refused | Unknown
    })

export type SeenTerms = NewAuction & { readonly id: AuctionId }
export type SeenBid = Pick<Bid, 'id' | 'auctionId' | 'bidderId' | 'amountMinor' | 'timestampMs'>

/** What a purchase or a cancellation is answered: the auction, as it is after its end. */
type EndedByRequest = { readonly outcome: 'accepted'; readonly auction: SeenAuction }

/** An auction as a reader saw it. */
export type SeenAuction = {
  readonly id: AuctionId
  readonly status: AuctionStatus
  readonly currentPriceMinor: AmountMinor
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly bidCount: number
  /** When it ends, as far as bids have moved that, in milliseconds since 1970. */
  readonly effectiveEndMs: number
  /** Undefined where there is no reserve. */
  readonly isReserveMet: boolean | undefined
  /** Undefined where it never can be bought at once. */
  readonly isBuyNowOffered: boolean | undefined
  /** Undefined until it is final. */
  readonly result: AuctionResult | undefined
}

type Listed = {
  readonly outcome: 'listed'
  readonly auctions: readonly SeenAuction[]
  /** Whether these are all that the query asks for, and not one page of several. */
  readonly isWhole: boolean
}

export type History = {
  readonly attempts: readonly Attempt[]
  /** All that is stored in the end, in any order. */
  readonly auctions: readonly StoredAuction[]
  readonly ledger: readonly Entry[]
  /** By how much the clock of a server may differ from that of the attempts, in milliseconds. */
  readonly clockErrorMs: number
  /** How long after its end an auction is closed at the earliest, by a server's clock: the limit `clockSkewMs`. */
  readonly marginMs: number
}

/** A broken promise. Its number is that of the invariant, as listed with `checkHistory`. */
export type Violation = { readonly invariant: 1 | 2 | 3 | 4 | 5 | 6; readonly message: string }

/** Data as text, the same for the same data: members in order, and none that is undefined. */
export const show = (data: unknown): string => JSON.stringify(data, sorted)

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
