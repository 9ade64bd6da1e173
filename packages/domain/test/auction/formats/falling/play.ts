import { sampleNewFallingAuction } from '@auction/testing/samples'
import type { Auction, Terms } from '../../../../src/auction/auction.ts'
import { termsOf } from '../../../../src/auction/auction.ts'
import type { OfFormat } from '../../../../src/auction/formats/formats.ts'
import type { BuyNowCommand } from '../../../../src/auction/offers.ts'
import { toAuctionId, toUserId } from '../../../../src/values/ids.ts'
import type { Decimal } from '../../../../src/values/money.ts'

/** The terms of an auction by user 1 whose price falls from 100 yen by 5 every minute to 60. */
export function fallingTerms(sample: Readonly<Record<string, unknown>> = {}): OfFormat<'falling', Terms> {
  const fields = sampleNewFallingAuction({ currency: 'JPY', ...sample })
  // The casts: the sample is of the format.
  const auction = { ...fields, id: toAuctionId(1), createdAtMs: 0 } as Auction
  return termsOf(auction) as OfFormat<'falling', Terms>
}

/** A purchase by a user, who pays at most this many yen. */
export const take = (buyerId: number, atMost?: number): BuyNowCommand => ({
  type: 'buy-now',
  buyerId: toUserId(buyerId),
  ...(atMost !== undefined && { atMost: atMost as Decimal }), // Exact in yen.
})
