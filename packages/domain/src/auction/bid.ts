import * as v from 'valibot'
import { PositiveDecimal } from '../amount.ts'
import { AuctionId, type BidId, UserId } from '../ids.ts'
import type { AmountMinor, Currency } from '../money.ts'
import { missingField, type Parsed, parseObject } from '../validation.ts'

/** What a caller says of a bid, as JSON. Its amount is in the currency of the auction, which only the auction tells. */
export const NewBidFields = v.object(
  {
    auctionId: v.pipe(AuctionId, v.description('The auction to bid on.')),
    bidderId: v.pipe(UserId, v.description('The user who bids.')),
    amount: v.pipe(
      PositiveDecimal,
      v.description("In the auction's currency, with no more decimals than that has, and at least its next bid."),
    ),
  },
  missingField,
)
export type NewBid = Readonly<v.InferOutput<typeof NewBidFields>>

/** A bid that was accepted, as it is read. */
export type Bid = {
  readonly id: BidId
  readonly auctionId: AuctionId
  readonly bidderId: UserId
  readonly amountMinor: AmountMinor
  readonly currency: Currency
  readonly timestampMs: number
}

// What reading a bid returns beside them: dropped when sent, so that a resource can be sent back.
export const assignedToBids = new Set(['id', 'status', 'timestamp'])

/** Parses the JSON of a new bid, strictly and with every fault. */
export const parseNewBid = (input: unknown): Parsed<NewBid> => parseObject(NewBidFields, input, assignedToBids)
