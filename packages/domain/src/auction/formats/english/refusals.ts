import type { AuctionId } from '../../../values/ids.ts'
import type { AmountMinor, Currency } from '../../../values/money.ts'
import type { ValidationFailed } from '../../../values/validation.ts'
import type { BarredRefusal } from '../../admission.ts'
import type { Complete, lifeRefusals, NotOpenRefusal, RefusalRow, RepairRefusal } from '../../life-refusals.ts'

/** The refusals that other formats do not have. A new one has a row here and a type below. */
export const refusals = {
  'reserve-lowered-before': {
    kind: 'conflict',
    meaning: 'The reserve was lowered before, and only staff may lower it again, with a reason.',
    of: ['lower-reserve'],
  },
  'bid-too-high': {
    kind: 'conflict',
    meaning: 'The amount is above the maximum next bid, which `maximumBidIncrement` limits.',
    of: ['place-bid'],
  },
  'bid-not-on-step': {
    kind: 'conflict',
    meaning: 'The amount is between two steps of an auction with `onlySteps`.',
    of: ['place-bid'],
  },
  'buy-now-is-lower': {
    kind: 'conflict',
    meaning: 'The amount is at or above the `buyNowPrice`, at which the auction can be bought.',
    of: ['place-bid'],
  },
  'maximum-not-raised': {
    kind: 'conflict',
    meaning:
      'The bidder leads, and `maximumAmount` is below their current maximum or bid, or the same with an `amount` below the minimum next bid.',
    of: ['place-bid'],
  },
  'buy-now-not-offered': {
    kind: 'conflict',
    meaning: 'The auction has no buy-now price, or bids have ended the offer.',
    of: ['buy-now'],
  },
} as const satisfies Readonly<Record<string, RefusalRow>>

type Rows = typeof lifeRefusals & typeof refusals

type Prices = {
  readonly currentPriceMinor: AmountMinor
  /** Undefined if no higher bid is possible. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly currency: Currency
}

/** The refusals of a bid, with the data that the caller needs to correct it. */
export type PlaceBidRefusal = Complete<
  Rows,
  'place-bid',
  | ValidationFailed
  | NotOpenRefusal
  | { readonly code: 'owner-cannot-bid' }
  | BarredRefusal
  | (Prices & { readonly code: 'bid-too-low' })
  | (Pick<Prices, 'currentPriceMinor' | 'currency'> & {
      readonly code: 'bid-too-high'
      readonly maximumNextBidMinor: AmountMinor
    })
  | {
      readonly code: 'bid-not-on-step'
      /** The highest step below the amount, at least the minimum next bid. */
      readonly lowerAmountMinor: AmountMinor
      /** The lowest step above it; undefined if that may not be bid. */
      readonly higherAmountMinor: AmountMinor | undefined
      readonly currency: Currency
    }
  | (Prices & {
      readonly code: 'buy-now-is-lower'
      readonly auctionId: AuctionId
      readonly buyNowPriceMinor: AmountMinor
    })
  | { readonly code: 'maximum-not-raised' }
>

export type BuyNowNotOffered = Prices & {
  readonly code: 'buy-now-not-offered'
  readonly reason: 'no-buy-now-price' | 'has-bids' | 'reserve-met'
}

export type BuyNowRefusal = Complete<
  Rows,
  'buy-now',
  NotOpenRefusal | { readonly code: 'owner-cannot-buy' } | BarredRefusal | BuyNowNotOffered | ValidationFailed
>

export type LowerReserveRefusal = Complete<
  Rows,
  'lower-reserve',
  | RepairRefusal
  | ValidationFailed
  | { readonly code: 'not-the-owner'; readonly prevents: 'reserve-reduction' }
  | { readonly code: 'reserve-lowered-before' }
>
