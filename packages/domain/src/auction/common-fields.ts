import * as v from 'valibot'
import { NonNegativeDecimal, PositiveDecimal } from '../values/amount.ts'
import { CurrencyCode } from '../values/currency.ts'
import { ProductId, RegisterId, UserId } from '../values/ids.ts'
import { MomentText } from '../values/moment.ts'
import { anyTextUpTo, textUpTo } from '../values/primitives.ts'
import { MetadataFields } from './metadata.ts'

// The fields of a new auction of any format, each with its own rule. A format adds its own among them.

const Title = textUpTo(200)
const Description = anyTextUpTo(10_000)

export const names = {
  productId: v.pipe(ProductId, v.description('The product for sale.')),
  ownerId: v.pipe(UserId, v.description('The user who sells, who cannot bid.')),
}

export const texts = {
  title: v.nullish(v.pipe(Title, v.description('Well-formed Unicode, counted in code points.'))),
  description: v.nullish(v.pipe(Description, v.description('Well-formed Unicode, counted in code points.'))),
}

export const startingPrice = v.pipe(NonNegativeDecimal, v.description('The minimum first bid.'))

export const minimumBidIncrement = v.pipe(
  PositiveDecimal,
  v.description('The minimum increase over the previous bid, except for automatic bids; no other increment is lower.'),
)

export const reservePrice = v.nullish(
  v.pipe(
    NonNegativeDecimal,
    v.description(
      'The lowest price at which the product is sold; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`.',
    ),
  ),
)

export const currency = v.pipe(CurrencyCode, v.description('An active ISO 4217 code that has minor units.'))

export const times = {
  startTime: v.pipe(MomentText, v.description('The start. It may be in the past.')),
  endTime: v.pipe(
    MomentText,
    v.description('The end, in UTC, unless late bids extend it. After the start and in the future.'),
  ),
}

export const cancellableUntilEnd = v.nullish(
  v.pipe(v.boolean('must be true or false'), v.description('Whether the auction can be cancelled after bids.')),
)

export const metadata = v.nullish(
  v.pipe(
    MetadataFields,
    v.description(
      'Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all.',
    ),
  ),
)

/** Who may bid. */
export const admitting = {
  registerId: v.nullish(
    v.pipe(
      RegisterId,
      v.description(
        'The register that says who may bid, up to what. It must exist, with the same currency. If omitted, every user may bid.',
      ),
    ),
  ),
  showPaddles: v.nullish(
    v.pipe(
      v.boolean('must be true or false'),
      v.description('Whether bids show the paddles of the register to all readers. Only with `registerId`.'),
    ),
  ),
}

const rest = { cancellableUntilEnd, ...admitting, metadata }
const common = v.object({ ...names, ...texts, startingPrice, currency, ...times, ...rest })

/** The fields of a new auction of any format, after validation. */
export type CommonFields = v.InferOutput<typeof common>
