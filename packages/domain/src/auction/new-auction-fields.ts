import * as v from 'valibot'
import { NonNegativeDecimal, PositiveDecimal } from '../values/amount.ts'
import { CurrencyCode } from '../values/currency.ts'
import { ProductId, UserId } from '../values/ids.ts'
import { MomentText } from '../values/moment.ts'
import { missingField } from '../values/parsing.ts'
import { anyTextUpTo, textUpTo } from '../values/primitives.ts'
import { maxOvertimeMs } from './auction.ts'
import { incrementEntries } from './new-increments.ts'
import { MetadataFields } from './new-metadata.ts'

const Title = textUpTo(200)
const Description = anyTextUpTo(10_000)

const maxSeconds = maxOvertimeMs / 1000

const secondsRule = `must be an integer from 1 to ${maxSeconds}, in seconds`

const Seconds = v.pipe(
  v.number(secondsRule),
  v.integer(secondsRule),
  v.minValue(1, secondsRule),
  v.maxValue(maxSeconds, secondsRule),
)

const SoftCloseFields = v.object(
  {
    windowSeconds: v.pipe(Seconds, v.description('The time before the end in which a bid extends the auction.')),
    extensionSeconds: v.pipe(Seconds, v.description('The minimum time between a late bid and the end.')),
    latestEndTime: v.pipe(MomentText, v.description('The latest possible end. After `endTime`, by at most one week.')),
  },
  missingField,
)

/** The fields of a new auction, each with its own rule. */
export const fields = v.object(
  {
    productId: v.pipe(ProductId, v.description('The product for sale.')),
    ownerId: v.pipe(UserId, v.description('The user who sells, who cannot bid.')),
    title: v.nullish(v.pipe(Title, v.description('Well-formed Unicode, counted in code points.'))),
    description: v.nullish(v.pipe(Description, v.description('Well-formed Unicode, counted in code points.'))),
    startingPrice: v.pipe(NonNegativeDecimal, v.description('The minimum first bid.')),
    minimumBidIncrement: v.pipe(
      PositiveDecimal,
      v.description(
        'The minimum increase over the previous bid, except for automatic bids; no other increment is lower.',
      ),
    ),
    currency: v.pipe(CurrencyCode, v.description('An active ISO 4217 code that has minor units.')),
    startTime: v.pipe(MomentText, v.description('The start. It may be in the past.')),
    endTime: v.pipe(
      MomentText,
      v.description('The end, in UTC, unless late bids extend it. After the start and in the future.'),
    ),
    softClose: v.nullish(v.pipe(SoftCloseFields, v.description('Extends the auction on late bids.'))),
    reservePrice: v.nullish(
      v.pipe(
        NonNegativeDecimal,
        v.description(
          'The lowest price at which the product is sold; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`.',
        ),
      ),
    ),
    buyNowPrice: v.nullish(
      v.pipe(
        PositiveDecimal,
        v.description('The price of an immediate purchase; above `startingPrice` and `reservePrice`.'),
      ),
    ),
    cancellableUntilEnd: v.nullish(
      v.pipe(v.boolean('must be true or false'), v.description('Whether the auction can be cancelled after bids.')),
    ),
    ...incrementEntries,
    metadata: v.nullish(
      v.pipe(
        MetadataFields,
        v.description(
          'Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all.',
        ),
      ),
    ),
  },
  missingField,
)
export type Fields = v.InferOutput<typeof fields>
