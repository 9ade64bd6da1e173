import type { Auction } from '@auction/domain/auction/auction'
import type { NewBid } from '@auction/domain/auction/bid'
import { sampleAuction, sampleEntry } from '@auction/domain/testing/samples'

/** How bids are spread over auctions. */
export type Spread = { readonly id: string; readonly label: string; readonly auctions: number }

export const spreads = {
  wide: { id: '1000-auctions', label: '1,000 auctions', auctions: 1_000 },
  hot: { id: 'hot-auction', label: 'one hot auction', auctions: 1 },
} as const satisfies Record<string, Spread>

/** In whole dollars: all auctions begin at 1, and rise by 1 at least. */
export const incrementDollars = 1

/** Open auctions of user 1, with ids from `firstId` on. */
export const openAuctions = (
  count: number,
  { firstId = 1, endTime = '2999-12-31T23:59:59Z', incrementMinor = incrementDollars * 100 } = {},
): readonly Auction[] =>
  Array.from({ length: count }, (_, index) =>
    sampleAuction({
      id: firstId + index,
      startingPriceMinor: incrementDollars * 100,
      minimumBidIncrementMinor: incrementMinor,
      startTime: '2020-01-01T00:00:00Z',
      endTime,
    }),
  )

/** What a client offers next, and to which of the auctions, counted from 0. */
export type Offer = { readonly auction: number; readonly dollars: number }

/**
 * Offers for all clients from one counter: the auctions take turns, and each offer to an auction is the increment above the
 * one before. So nearly all of them can be accepted, and every contestant is offered the same.
 */
export function risingOffers(auctions: number, fromDollars: number): () => Offer {
  let count = 0
  return () => {
    const offer = { auction: count % auctions, dollars: fromDollars + Math.floor(count / auctions) * incrementDollars }
    count += 1
    return offer
  }
}

export const { bidderId } = sampleEntry().event

export function bidOf({ auction, dollars }: Offer, auctions: readonly Auction[]): NewBid {
  const chosen = auctions[auction]
  if (chosen === undefined) throw new RangeError(`there is no auction ${auction}`)
  return { auctionId: chosen.id, bidderId, amount: dollars as NewBid['amount'] } // Whole dollars are exact in USD.
}
