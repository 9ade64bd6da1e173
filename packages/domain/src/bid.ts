import * as v from 'valibot'
import { AuctionId, type BidId, UserId } from './ids.ts'
import { type AmountMinor, type Currency, PositiveDecimal } from './money.ts'
import { missingField, type Parsed, parseObject } from './validation.ts'

/** What a caller says of a bid, as JSON. Its amount is in the currency of the auction, which only the auction tells. */
export const NewBidFields = v.object({ auctionId: AuctionId, bidderId: UserId, amount: PositiveDecimal }, missingField)
export type NewBid = Readonly<v.InferOutput<typeof NewBidFields>>

/**
 * A bid that was accepted: one entry of its auction's ledger. The last entry is the auction's head: its amount is the
 * price, its sequence the number of bids, its timestamp the one that no later bid may go behind.
 */
export type Bid = {
  readonly id: BidId
  readonly auctionId: AuctionId
  /** 1 for the first bid of the auction, then one more each, without gaps. */
  readonly sequence: number
  readonly bidderId: UserId
  readonly amountMinor: AmountMinor
  /** The auction's, so that a bid can be read alone. */
  readonly currency: Currency
  readonly timestampMs: number
}

const assigned = new Set(['id', 'status', 'timestamp'])

/** Parses the JSON of a new bid, strictly and with every fault. */
export const parseNewBid = (input: unknown): Parsed<NewBid> => parseObject(NewBidFields, input, assigned)

/** Whether two entries are one and the same. Under one id there may be another bid: that of a key's other request. */
export const isSameBid = (a: Bid, b: Bid | undefined): boolean =>
  b !== undefined &&
  a.id === b.id &&
  a.auctionId === b.auctionId &&
  a.sequence === b.sequence &&
  a.bidderId === b.bidderId &&
  a.amountMinor === b.amountMinor &&
  a.timestampMs === b.timestampMs
