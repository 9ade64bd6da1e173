import type { Contestant } from '../contest/contestant.ts'
import type { Claim } from '../contest/wrong-outcomes.ts'
import { incrementDollars, risingOffers, type Spread } from '../domain/bidding-floor.ts'

type BidRecord = { readonly auctionId: number; readonly dollars: number; readonly bidderId: number; readonly at: Date }

/** What is written first: read the highest bid, and insert one that is higher. Whoever reads meanwhile reads the same. */
export const findThenInsert = (spread: Spread): Contestant => ({
  id: `find-then-insert/${spread.id}`,
  label: `find the highest, then insert, ${spread.label}`,
  perOperation: 1,
  async start({ database }) {
    const bids = database.collection<BidRecord>('bids_found')
    await bids.createIndex({ auctionId: 1, dollars: -1 })
    const nextOffer = risingOffers(spread.auctions, 1)
    const claims: Claim[] = []
    const operation = async () => {
      const offer = nextOffer()
      const highest = await bids.findOne({ auctionId: offer.auction }, { sort: { dollars: -1 } })
      const price = highest?.dollars ?? 0
      if (offer.dollars < price + incrementDollars) return 'refused'
      await bids.insertOne({ auctionId: offer.auction, dollars: offer.dollars, bidderId: 2, at: new Date() })
      claims.push({ ...offer, step: price })
      return 'accepted'
    }
    return { operation, claims: async () => claims, stop: async () => undefined }
  },
})
