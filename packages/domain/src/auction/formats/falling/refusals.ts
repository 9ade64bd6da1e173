import type { Moment } from '../../../values/moment.ts'
import type { AmountMinor, Currency } from '../../../values/money.ts'
import type { ValidationFailed } from '../../../values/validation.ts'
import type { BarredRefusal } from '../../admission.ts'
import type { NotOpenRefusal, RefusalRow } from '../../life-refusals.ts'

/** The refusals that other formats do not have. A new one has a row here and a type below. */
export const refusals = {
  'bids-not-taken': {
    kind: 'conflict',
    meaning: 'The price of the auction falls until a buyer takes it, so it takes no bids.',
    of: ['place-bid'],
    finalFor: ['place-bid'],
  },
  'price-is-higher': {
    kind: 'conflict',
    meaning: 'The price is still above `atMost`.',
    of: ['buy-now'],
  },
} as const satisfies Readonly<Record<string, RefusalRow>>

export type BidRefusal = { readonly code: 'bids-not-taken' }

export type PriceIsHigher = {
  readonly code: 'price-is-higher'
  readonly currentPriceMinor: AmountMinor
  /** Undefined if the price does not fall any more. */
  readonly nextPriceMinor: AmountMinor | undefined
  readonly nextPriceTime: Moment | undefined
  readonly currency: Currency
}

export type PurchaseRefusal =
  | NotOpenRefusal
  | { readonly code: 'owner-cannot-buy' }
  | BarredRefusal
  | ValidationFailed
  | PriceIsHigher
