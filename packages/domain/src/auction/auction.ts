import type { AuctionId, ProductId, UserId } from '../ids.ts'
import type { Moment } from '../moment.ts'
import type { AmountMinor, Currency } from '../money.ts'

/**
 * How late bids move the end: an accepted bid of the last `windowSeconds` before it moves it to the bid's time and
 * `extensionSeconds`, if that is later, and never past `latestEndTime`.
 */
export type SoftClose = {
  readonly windowSeconds: number
  readonly extensionSeconds: number
  readonly latestEndTime: Moment
}

/** A new auction, parsed: money in minor units, times comparable. */
export type NewAuction = {
  readonly productId: ProductId
  readonly ownerId: UserId
  readonly title?: string
  readonly description?: string
  readonly startingPriceMinor: AmountMinor
  readonly minimumBidIncrementMinor: AmountMinor
  readonly currency: Currency
  readonly startTime: Moment
  readonly endTime: Moment
  /** Without it, nothing moves the end. */
  readonly softClose?: SoftClose
  /** A secret of the owner: a highest bid below it buys nothing. */
  readonly reservePriceMinor?: AmountMinor
  /** For which the auction can be bought at once, as long as that is offered. */
  readonly buyNowPriceMinor?: AmountMinor
  /** Whether bids leave it free to be cancelled. */
  readonly cancellableUntilEnd?: boolean
}

/** An auction as it was created. It never changes: what becomes of it is told by its ledger and the clock. */
export type Auction = NewAuction & {
  readonly id: AuctionId
  readonly createdAtMs: number
}

/** An auction as lists have it: the descriptions of a hundred auctions may take megabytes, and only the single read shows one. */
export type ListedAuction = Omit<Auction, 'description'>

/**
 * What decisions need of an auction, and what a process remembers of each: a few hundred bytes, where its texts may have tens of
 * thousands.
 */
export type Terms = Pick<
  Auction,
  | 'id'
  | 'ownerId'
  | 'startingPriceMinor'
  | 'minimumBidIncrementMinor'
  | 'currency'
  | 'startTime'
  | 'endTime'
  | 'softClose'
  | 'reservePriceMinor'
  | 'buyNowPriceMinor'
  | 'cancellableUntilEnd'
>

/** The terms alone, to be kept where the auction need not be. */
export function termsOf(auction: Terms): Terms {
  const { id, ownerId, startingPriceMinor, minimumBidIncrementMinor, currency, startTime, endTime } = auction
  const plain = { id, ownerId, startingPriceMinor, minimumBidIncrementMinor, currency, startTime, endTime }
  const { softClose, reservePriceMinor, buyNowPriceMinor, cancellableUntilEnd } = auction
  return {
    ...plain,
    ...(softClose && { softClose }),
    ...(reservePriceMinor !== undefined && { reservePriceMinor }),
    ...(buyNowPriceMinor !== undefined && { buyNowPriceMinor }),
    ...(cancellableUntilEnd !== undefined && { cancellableUntilEnd }),
  }
}
