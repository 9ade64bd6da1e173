import * as v from 'valibot'
import { PositiveDecimal } from '../values/amount.ts'
import { type Checked, createMark } from '../values/checked.ts'
import { AuctionId, UserId } from '../values/ids.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'
import { toBids } from './formats/english/assigned.ts'
import type { AnyTypes } from './formats/formats.ts'
import { maximumBelowAmount, type NewBid } from './offers.ts'

const fields = v.object(
  {
    auctionId: v.pipe(AuctionId, v.description('The auction to bid on.')),
    bidderId: v.pipe(UserId, v.description('The user who bids.')),
    amount: v.pipe(
      PositiveDecimal,
      v.description(
        'The amount in the currency of the auction: at least `minimumNextBid`, at most `maximumNextBid`, and below the `buyNowPrice` while that is offered. A lower one is no bid; with it, the leader can send a higher `maximumAmount`.',
      ),
    ),
    maximumAmount: v.nullish(
      v.pipe(
        PositiveDecimal,
        v.description(
          'The limit up to which the service bids for the bidder; at least `amount`, even above the `buyNowPrice`. Visible only to the bidder.',
        ),
      ),
    ),
  },
  missingField,
)

/** The JSON of a new bid. Its amounts are in the currency of the auction, which the bid does not contain. */
export const NewBidFields = v.pipe(
  fields,
  v.forward(
    v.partialCheck(
      [['amount'], ['maximumAmount']],
      ({ amount, maximumAmount }) => maximumAmount == null || maximumAmount >= amount,
      maximumBelowAmount,
    ),
    ['maximumAmount'],
  ),
)

/** An accepted bid, or what reads show like one. */
export type Bid = AnyTypes['bid']

/** Fields that the service assigns. The parser ignores them, so that clients can send a resource back. */
export const assignedToBids = new Set(toBids)

const checked = createMark<NewBid>('parseNewBid')

/** Parses the JSON of a new bid strictly, and reports every error. */
export function parseNewBid(input: unknown): Parsed<Checked<NewBid>> {
  const parsed = parseObject(NewBidFields, input, assignedToBids)
  if (!parsed.ok) return parsed
  const { auctionId, bidderId, amount, maximumAmount } = parsed.value
  const bid = { auctionId, bidderId, amount }
  return accepted(checked(maximumAmount == null ? bid : { ...bid, maximumAmount }))
}
