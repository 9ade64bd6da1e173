import * as v from 'valibot'
import { NonNegativeDecimal } from '../values/amount.ts'
import { type Checked, createMark } from '../values/checked.ts'
import { defined } from '../values/defined.ts'
import { UserId } from '../values/ids.ts'
import { type Moment, MomentText, momentAt } from '../values/moment.ts'
import { type AmountMinor, type Decimal, ONE_MINOR } from '../values/money.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'
import type { Auction, NewAuction } from './auction.ts'
import { formatOf } from './formats/formats.ts'

const maxExcluded = 100
const excludedRule = `must be an array of 0 to ${maxExcluded} different user ids`

export const NewOfferFields = v.object(
  {
    excludedBidderIds: v.pipe(
      v.array(UserId, excludedRule),
      v.maxLength(maxExcluded, excludedRule),
      v.check((ids) => new Set(ids).size === ids.length, excludedRule),
      v.metadata({ uniqueItems: true }),
      v.description(
        'The bidders who are passed over, and whose bids do not raise the price: among them the winner, and the buyers of earlier offers.',
      ),
    ),
    endTime: v.pipe(MomentText, v.description('Until when the bidder can buy, in UTC. In the future.')),
    price: v.nullish(
      v.pipe(
        NonNegativeDecimal,
        v.description(
          'The price. By default, what the bidder would have paid without the excluded bidders; it is required if the reserve is above the highest bid of the bidder.',
        ),
      ),
    ),
  },
  missingField,
)

/** An offer to the next bidder of an auction. */
export type NewOffer = {
  /** In ascending order. */
  readonly excludedBidderIds: readonly UserId[]
  readonly endTime: Moment
  readonly price?: Decimal
}

const checkedOffer = createMark<NewOffer>('parseNewOffer')

/** Parses the JSON of an offer strictly, and reports every error that does not depend on the auction. */
export function parseNewOffer(input: unknown): Parsed<Checked<NewOffer>> {
  const parsed = parseObject(NewOfferFields, input)
  if (!parsed.ok) return parsed
  const { excludedBidderIds, endTime, price } = parsed.value
  const sorted = excludedBidderIds.toSorted((one, other) => one - other)
  return accepted(checkedOffer({ excludedBidderIds: sorted, endTime, ...(price != null && { price }) }))
}

/** An auction whose price falls needs steps: these are never reached, because the price is at its floor. */
const noSteps = { decrementMinor: ONE_MINOR, intervalSeconds: 86_400 }

/** The auction that only one bidder can buy. If bids were secret, other users may not know that it exists. */
export function offerAuction(
  source: Auction,
  { excludedBidderIds, endTime }: Pick<NewOffer, 'excludedBidderIds' | 'endTime'>,
  offeredTo: UserId,
  priceMinor: AmountMinor,
  nowMs: number,
): NewAuction {
  const { id: offerOf, productId, ownerId, title, description, currency, metadata } = source
  const { registerId, registerAdmits, showPaddles } = source
  return defined({
    ...({ format: 'falling', productId, ownerId, title, description } as const),
    startingPriceMinor: priceMinor,
    falling: { ...noSteps, floorPriceMinor: priceMinor },
    ...{ startTime: momentAt(nowMs), endTime, cancellableUntilEnd: true },
    ...{ currency, registerId, registerAdmits, showPaddles, metadata, offerOf, offeredTo },
    excludedBidderIds: [...excludedBidderIds],
    isPrivate: formatOf(source).keepsBidsApart,
  })
}
