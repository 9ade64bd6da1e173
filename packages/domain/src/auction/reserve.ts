import type { AmountMinor } from '../values/money.ts'
import type { Terms } from './auction.ts'
import type { AuctionState } from './state.ts'

type Reserve = Pick<Terms, 'reservePriceMinor'>

/** Whether the highest bid meets the reserve. Without a reserve, any bid does. */
export const isReserveMet = ({ reservePriceMinor = 0 as AmountMinor }: Reserve, { leader }: AuctionState): boolean =>
  leader !== null && leader.amountMinor >= reservePriceMinor

/** Raises the price of a leader to the reserve, if their maximum covers it. */
export const liftedToReserve = (
  { reservePriceMinor }: Reserve,
  priceMinor: AmountMinor,
  maximumMinor: AmountMinor,
): AmountMinor =>
  reservePriceMinor !== undefined && priceMinor < reservePriceMinor && reservePriceMinor <= maximumMinor
    ? reservePriceMinor
    : priceMinor
