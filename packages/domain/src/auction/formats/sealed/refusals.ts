import type { AmountMinor, Currency } from '../../../values/money.ts'
import type { ValidationFailed } from '../../../values/validation.ts'
import type { BarredRefusal } from '../../admission.ts'
import type { NotOpenRefusal } from '../../life-refusals.ts'

/** None of them depends on other bids. */
export type BidRefusal =
  | ValidationFailed
  | NotOpenRefusal
  | { readonly code: 'owner-cannot-bid' }
  | BarredRefusal
  | {
      readonly code: 'bid-too-low'
      /** The starting price, and at least one minor unit. */
      readonly minimumNextBidMinor: AmountMinor
      readonly currency: Currency
    }

export type OwnWithdrawalRefusal = NotOpenRefusal | { readonly code: 'no-bids-of-bidder' }
