import type { Auction } from '@auction/domain/auction/auction'
import type { NewBid } from '@auction/domain/auction/bid'
import { toUserId, type UserId } from '@auction/domain/ids'
import type { Decimal } from '@auction/domain/money'
import { sampleAuction, sampleEntry } from '@auction/domain/testing/samples'

/** How bids are spread over auctions, and whom they meet there. */
export type Spread = {
  readonly id: string
  readonly label: string
  readonly auctions: number
  /** What is bid on each auction before anything is measured: a dollar. */
  readonly firstBid: (auction: Auction) => NewBid
  /** By how much each offer is above the one before. */
  readonly stepDollars: number
}

/** In whole dollars: all auctions begin at 1, and rise by 1 at least. */
export const incrementDollars = 1

export const { bidderId } = sampleEntry().event
export const proxyBidderId: UserId = toUserId(3)

const plain = {
  firstBid: ({ id }: Auction): NewBid => ({ auctionId: id, bidderId, amount: inUsd(1) }),
  stepDollars: incrementDollars,
} as const satisfies Partial<Spread>

export const spreads = {
  wide: { id: '1000-auctions', label: '1,000 auctions', auctions: 1_000, ...plain },
  hot: { id: 'hot-auction', label: 'one hot auction', auctions: 1, ...plain },
} as const satisfies Record<string, Spread>

/** The hot auction with a leader who goes higher than any bid of a run: each gets a reply, which is in its entry. */
export const hotWithProxy: Spread = {
  id: 'hot-auction-with-proxy',
  label: 'one hot auction, each bid meets a proxy',
  auctions: 1,
  firstBid: ({ id }) => ({
    auctionId: id,
    bidderId: proxyBidderId,
    amount: inUsd(1),
    maximumAmount: inUsd(9_000_000_000_000),
  }),
  // The reply takes an increment too.
  stepDollars: 2 * incrementDollars,
}

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
 * Offers for all clients from one counter: the auctions take turns, and each offer to an auction is a step above the one before:
 * what it takes to be accepted. So nearly all of them can be, and every contestant is offered the same.
 */
export function risingOffers(
  auctions: number,
  fromDollars: number,
  stepDollars: number = incrementDollars,
): () => Offer {
  let count = 0
  return () => {
    const offer = { auction: count % auctions, dollars: fromDollars + Math.floor(count / auctions) * stepDollars }
    count += 1
    return offer
  }
}

export function bidOf({ auction, dollars }: Offer, auctions: readonly Auction[]): NewBid {
  const chosen = auctions[auction]
  if (chosen === undefined) throw new RangeError(`there is no auction ${auction}`)
  return { auctionId: chosen.id, bidderId, amount: inUsd(dollars) }
}

/** Whole dollars are exact in USD. */
export const inUsd = (dollars: number): Decimal => dollars as Decimal
