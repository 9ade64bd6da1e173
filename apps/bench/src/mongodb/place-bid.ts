import { connectMongoStore } from '@auction/adapters/mongodb'
import { systemClock } from '@auction/adapters/system'
import { placeBidUseCase } from '@auction/domain/use-cases/place-bid'
import { bidOf, openAuctions, risingOffers, type Spread } from '../domain/bidding-floor.ts'
import type { Contestant } from './contestant.ts'
import type { Claim } from './wrong-outcomes.ts'

/** Ours: the use case that production runs, on the MongoDB adapter. */
export const placeBid = (spread: Spread): Contestant => ({
  id: `placeBid/${spread.id}`,
  label: `placeBid, ${spread.label}`,
  spread,
  bidsPerOperation: 1,
  async start({ uri, maxConnections }) {
    const store = await connectMongoStore(uri, { maxConnections })
    const auctions = openAuctions(spread.auctions)
    const byId = new Map(auctions.map((auction) => [auction.id, auction]))
    // An auction never changes and is read once. These come from a map, because that one time is before the measuring, and
    // servers whose reads scan would take longer for it than for all the rest.
    const place = placeBidUseCase({ ...store, auctions: { ...store.auctions, find }, clock: systemClock })
    async function find(id: (typeof auctions)[number]['id']) {
      return byId.get(id)
    }
    // The first bid to each auction loads its head.
    await Promise.all(auctions.map((_, auction) => place(bidOf({ auction, dollars: 1 }, auctions))))

    const nextOffer = risingOffers(spread.auctions, 2)
    const claims: Claim[] = []
    const operation = async () => {
      const offer = nextOffer()
      const placed = await place(bidOf(offer, auctions))
      if (!placed.ok) return 'refused'
      claims.push({ ...offer, step: placed.value.sequence })
      return 'accepted'
    }
    return { operation, claims, stop: () => store.close() }
  },
})
