import type { AmountMinor } from '../money.ts'
import type { Terms } from './auction.ts'
import type { AuctionState } from './state.ts'

type Reserve = Pick<Terms, 'reservePriceMinor'>

/** Whether the highest bid is one that buys. Where there is no reserve, any does. */
export const isReserveMet = ({ reservePriceMinor = 0 as AmountMinor }: Reserve, { leader }: AuctionState): boolean =>
  leader !== null && leader.amountMinor >= reservePriceMinor

/** The price that a bidder has to pay who leads at one, and bids up to a maximum: the reserve, if the maximum covers that. */
export const liftedToReserve = (
  { reservePriceMinor }: Reserve,
  priceMinor: AmountMinor,
  maximumMinor: AmountMinor,
): AmountMinor =>
  reservePriceMinor !== undefined && priceMinor < reservePriceMinor && reservePriceMinor <= maximumMinor
    ? reservePriceMinor
    : priceMinor
