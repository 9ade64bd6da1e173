import type { SubscribedEvent } from '@auction/delivery'
import type {
  Bidder,
  BidderChanges,
  BidderStatus,
  CancelAuctionRequest,
  Claim,
  CorrectAuctionRequest,
  NewRegister,
  PublicEvent,
  Register,
  Sealer,
  WithdrawnIn,
} from '@auction/domain'
import type {
  AuctionResult,
  AuctionStatus,
  Bid,
  Cancellation,
  Correction,
  EarlyEnd,
  Extension,
  Metadata,
  NewAuction,
  NewBid,
  OwnWithdrawal,
  Purchase,
  ReserveReduction,
  Withdrawal,
} from '@auction/domain/auction'
import type { AuctionId, RegisterId, UserId } from '@auction/domain/ids'
import type { Moment } from '@auction/domain/moment'
import type { AmountMinor } from '@auction/domain/money'
import type { DirectoryEntry, Entry, RegisterEntry, RegisterListed, StoredAuction } from '@auction/domain/store'

/** Any refusal, by its code. One with an inconclusive code, such as `overloaded`, must only have changed nothing. */
export type Refused = {
  readonly outcome: 'refused'
  readonly code: string
  /** The figures of `bid-too-low`, `buy-now-is-lower` and `buy-now-not-offered`. */
  readonly currentPriceMinor?: AmountMinor
  readonly minimumNextBidMinor?: AmountMinor | undefined
  /** The figure of `bid-too-high`, with the current price. */
  readonly maximumNextBidMinor?: AmountMinor
  /** The figures of `price-is-higher`, with the current price. */
  readonly nextPriceMinor?: AmountMinor | undefined
  readonly nextPriceTime?: Moment | undefined
  /** The price of `buy-now-is-lower`. */
  readonly buyNowPriceMinor?: AmountMinor
  /** The reason of `not-admitted`. */
  readonly registration?: BidderStatus | 'none'
  /** The figure of `above-limit`. */
  readonly limitMinor?: AmountMinor
}

/** No response, or a response with an unknown outcome: the request may be done, now or later, or not. */
export type Unknown = { readonly outcome: 'unknown' }

/** The times of a request and its response, in milliseconds since 1970 by a clock that all clients share. */
type Times = {
  readonly sentAtMs: number
  readonly respondedAtMs: number
  /** The time when the whole request had arrived at a server, if it is known. The service decides for this time. */
  readonly arrivedAtMs?: number
}

/** The client's key of its request, unique among callers and operations: the last part of a `RequestKey`. */
type Keyed = { readonly key?: string }

/** What the token of a bidder or buyer says of them, by the ids of registers. */
type Claiming = { readonly claims?: Readonly<Record<string, Claim>> }

/** One request of a client for something, and the response. */
type Request<Type extends string, For, Shown> = Times &
  For & { readonly type: Type; readonly response: Shown | Refused | Unknown }

/** A response to a purchase, a cancellation, a correction or a repair has the auction after it. */
type Accepted<Shown> = { readonly outcome: 'accepted' } & Shown

export type PurchaseOf = Purchase & { readonly auctionId: AuctionId }
export type OwnWithdrawalOf = OwnWithdrawal & { readonly auctionId: AuctionId }
export type CancellationOf = Cancellation & Omit<CancelAuctionRequest, 'cancellation'>
export type CorrectionOf = Correction & Pick<CorrectAuctionRequest, 'auctionId' | 'editor' | 'requesterId'>

export type RegisterOf = NewRegister & { readonly editor: string }
export type BiddersOf = BidderChanges & {
  readonly registerId: RegisterId
  readonly editor: string
  /** The status that the client expected of the first bidder, if any. */
  readonly expected?: BidderStatus | 'none'
}

type RepairOf<Wanted> = Wanted & { readonly auctionId: AuctionId; readonly editor: string }
export type ExtensionOf = RepairOf<Extension>
export type WithdrawalOf = RepairOf<Withdrawal>
export type EarlyEndOf = RepairOf<EarlyEnd>
export type ReserveReductionOf = RepairOf<ReserveReduction> & {
  /** The user who lowers it, who must be the owner unless they may lower any. */
  readonly requesterId?: UserId
  readonly mayLowerAny?: boolean
}

type RepairRequest<Type extends string, For> = Request<
  Type,
  Keyed & { readonly repair: For },
  Accepted<{ readonly auction: SeenAuction }>
>

/** Attempts with one key are tries of one request. */
export type Attempt =
  | Request<'create-auction', Keyed & { readonly auction: NewAuction }, Accepted<{ readonly auction: SeenTerms }>>
  | Request<'place-bid', Keyed & Claiming & { readonly bid: NewBid }, Accepted<{ readonly bid: SeenBid }>>
  | Request<
      'buy-now',
      Keyed & Claiming & { readonly purchase: PurchaseOf },
      Accepted<{ readonly auction: SeenAuction }>
    >
  | Request<'create-register', Keyed & { readonly register: RegisterOf }, Accepted<{ readonly register: Register }>>
  | Request<
      'set-bidders',
      Keyed & { readonly change: BiddersOf },
      Accepted<{
        /** The whole entries after the change. */
        readonly bidders: readonly Bidder[]
        /** The outcome per auction, if the bids of the bidder were to be withdrawn. */
        readonly withdrawn?: readonly WithdrawnIn[] | undefined
      }>
    >
  | Request<
      'withdraw-own-bid',
      Keyed & { readonly withdrawal: OwnWithdrawalOf },
      Accepted<{ readonly auction: SeenAuction }>
    >
  | Request<
      'cancel-auction',
      Keyed & { readonly cancellation: CancellationOf },
      Accepted<{ readonly auction: SeenAuction }>
    >
  | Request<
      'correct-auction',
      Keyed & {
        readonly correction: CorrectionOf
        /** The texts that the client expected, if any: those of the state before the correction. */
        readonly expected?: SeenTexts
      },
      Accepted<{ readonly auction: SeenAuction }>
    >
  | RepairRequest<'extend-auction', ExtensionOf>
  | RepairRequest<'withdraw-bidder', WithdrawalOf>
  | RepairRequest<'end-auction', EarlyEndOf>
  | RepairRequest<'lower-reserve', ReserveReductionOf>
  | Request<
      'read-auction',
      { readonly auctionId: AuctionId },
      { readonly outcome: 'read'; readonly auction: SeenAuction }
    >
  | Request<'list-auctions', { readonly query: ListQuery }, Listed>

/** A request for a repair of an auction. */
export type RepairAttempt = Extract<Attempt, { readonly repair: object }>

/** The request of a repair, without its times and response. */
export type WantedRepair = RepairAttempt extends infer Each
  ? Each extends RepairAttempt
    ? Pick<Each, 'type' | 'repair'>
    : never
  : never

type ListQuery = {
  readonly order?: 'newest' | 'agenda' | 'ended'
  readonly status?: AuctionStatus | undefined
  readonly ownerId?: UserId | undefined
}

export type SeenTerms = NewAuction & { readonly id: AuctionId }
export type SeenBid = Pick<Bid, 'id' | 'auctionId' | 'bidderId' | 'amountMinor' | 'timestampMs'> & {
  /** The leader right after this bid, if the format shows one. */
  readonly leaderId?: UserId | undefined
}

/** The texts that corrections change, without the description, which lists omit. */
export type SeenTexts = {
  readonly title: string | undefined
  readonly metadata: Metadata | undefined
  /** Undefined if nothing was corrected. */
  readonly correctedAtMs: number | undefined
}

/** What a view shows of prices and bids, in its format. */
export type SeenFigures = {
  readonly currentPriceMinor?: AmountMinor
  readonly minimumNextBidMinor?: AmountMinor | undefined
  /** Undefined without a limit. */
  readonly maximumNextBidMinor?: AmountMinor | undefined
  readonly bidCount?: number
  /** Undefined without bids. */
  readonly leaderId?: UserId | undefined
  /** Undefined unless the auction shows paddles, and the leader has one. */
  readonly leaderPaddle?: string | undefined
  /** Undefined without a reserve. */
  readonly isReserveMet?: boolean | undefined
  /** Undefined without a buy-now price. */
  readonly isBuyNowOffered?: boolean | undefined
  /** Undefined if a falling price does not fall further. */
  readonly nextPriceMinor?: AmountMinor | undefined
  readonly nextPriceTime?: Moment | undefined
  /** Undefined without the result of sealed bids. */
  readonly bidderCount?: number | undefined
}

export type SeenAuction = SeenTexts &
  SeenFigures & {
    readonly id: AuctionId
    readonly status: AuctionStatus
    readonly repairCount: number
    /** The end after the extensions so far, in milliseconds since 1970. */
    readonly effectiveEndMs: number
    /** Undefined until it is final. */
    readonly result: AuctionResult | undefined
    /** The number of entries that the view includes and everyone may see, if the view has it. */
    readonly sequence?: number
  }

type Listed = {
  readonly outcome: 'listed'
  readonly auctions: readonly SeenAuction[]
  /** Whether these are all matching auctions, and not one page of several. */
  readonly isWhole: boolean
}

/** What a client saw of an auction that it followed, by as many connections as it needed. */
export type Follower = {
  readonly auctionId: AuctionId
  /** The sequence of the last entry that it knew at first; 0 for none. */
  readonly from: number
  /** The sequence of the last entry up to which it has seen the events. */
  readonly position: number
  /** The events in the order in which it saw them, with the times by the clock of the attempts. */
  readonly seen: readonly { readonly event: PublicEvent; readonly atMs: number }[]
}

export type History = {
  readonly attempts: readonly Attempt[]
  readonly followers?: readonly Follower[]
  /** The times when entries were stored, by their ids and by the clock of the attempts, if they are known. */
  readonly storedAtMs?: ReadonlyMap<number, number>
  /** All stored auctions at the end, in any order. */
  readonly auctions: readonly StoredAuction[]
  readonly ledger: readonly Entry[]
  /** The entries of all listed registers, and of their directory. Only a history without registers may lack them. */
  readonly registers?: readonly (RegisterEntry | DirectoryEntry<RegisterListed>)[]
  /** Opens the sealed bids of the ledger. Only a history without any may lack it. */
  readonly sealer?: Pick<Sealer, 'open'>
  /**
   * What each receiver has received, in order, including events that it received more than once. It subscribed before
   * the first auction, and nothing is left to deliver.
   */
  readonly deliveries?: Readonly<Record<string, readonly SubscribedEvent[]>>
  /** The maximum difference between the clock of a server and that of the attempts, in milliseconds. */
  readonly clockErrorMs: number
  /** The minimum time from an auction's end to its closing, by a server's clock: the limit `clockSkewMs`. */
  readonly marginMs: number
}

/** A violated invariant, with its number in the list at `checkHistory`. */
export type Violation = { readonly invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9; readonly message: string }

/** Data as text, equal for equal data: with sorted members, without undefined ones. */
export const show = (data: unknown): string => JSON.stringify(data, sorted)

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
