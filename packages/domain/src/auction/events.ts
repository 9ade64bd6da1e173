import type { UserId } from '../ids.ts'
import type { AmountMinor } from '../money.ts'
import type { AuctionResult } from './state.ts'

/** The bid's id is that of its entry. */
export type BidPlaced = { readonly type: 'bid-placed'; readonly bidderId: UserId; readonly amountMinor: AmountMinor }

/** The end of an auction, which nothing follows. */
export type Closed = { readonly type: 'closed'; readonly result: AuctionResult }

/** The whole effect of one command: it is recorded in one entry, or not at all. */
export type AuctionEvent = BidPlaced | Closed
