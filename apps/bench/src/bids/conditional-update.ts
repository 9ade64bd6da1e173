import type { Contestant } from '../contest/contestant.ts'
import type { Claim } from '../contest/wrong-outcomes.ts'
import { incrementDollars, risingOffers, type Spread } from '../domain/bidding-floor.ts'
import { pricedAuctions } from './priced-auctions.ts'

/** One document an auction, which a bid updates if its price is still low enough. It keeps no record of the bids. */
export const conditionalUpdate = (spread: Spread): Contestant => ({
  id: `findOneAndUpdate/${spread.id}`,
  label: `conditional findOneAndUpdate, ${spread.label}`,
  perOperation: 1,
  async start({ database }) {
    const auctions = await pricedAuctions(database, spread)
    const nextOffer = risingOffers(spread.auctions, 1)
    const claims: Claim[] = []
    const operation = async () => {
      const offer = nextOffer()
      const before = await auctions.findOneAndUpdate(
        { _id: offer.auction, dollars: { $lte: offer.dollars - incrementDollars } },
        { $set: { dollars: offer.dollars, bidderId: 2 }, $inc: { bidCount: 1 } },
        { returnDocument: 'before' },
      )
      if (before === null) return 'refused'
      claims.push({ ...offer, step: before.dollars })
      return 'accepted'
    }
    return { operation, claims: async () => claims, stop: async () => undefined }
  },
})
