import type { AuctionId, ProductId, UserId } from '../ids.ts'
import type { Moment } from '../moment.ts'
import type { AmountMinor, Currency } from '../money.ts'

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
}

/** An auction as it was created. It never changes: what becomes of it is told by its ledger and the clock. */
export type Auction = NewAuction & {
  readonly id: AuctionId
  readonly createdAtMs: number
}

/**
 * What decisions need of an auction, and what a process remembers of each: a few hundred bytes, where its texts may have tens of
 * thousands.
 */
export type Terms = Pick<
  Auction,
  'id' | 'ownerId' | 'startingPriceMinor' | 'minimumBidIncrementMinor' | 'currency' | 'startTime' | 'endTime'
>

/** The terms alone, to be kept where the auction need not be. */
export function termsOf(auction: Auction): Terms {
  const { id, ownerId, startingPriceMinor, minimumBidIncrementMinor, currency, startTime, endTime } = auction
  return { id, ownerId, startingPriceMinor, minimumBidIncrementMinor, currency, startTime, endTime }
}
