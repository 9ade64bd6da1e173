import { openSqliteStore } from '@auction/adapters/sqlite'
import { systemClock } from '@auction/adapters/system'
import type { BidId } from '@auction/domain/ids'
import { createAuctionService } from '@auction/domain/service'
import type { Store } from '@auction/domain/store'
import { type Keys, nextRetryKey } from '../bids/request-keys.ts'
import type { Contestant } from '../contest/contestant.ts'
import type { Claim } from '../contest/wrong-outcomes.ts'
import { bidOf, type Offer, openAuctions, risingOffers, type Spread } from '../domain/bidding-floor.ts'

/** Ours: the service that production runs, on the SQLite store, with a bid on each auction, as it is after a while. */
export const placeBid = (spread: Spread, keys: Keys): Contestant<string> => ({
  id: `sqlite-${keys === 'with-keys' ? 'placeBid-with-keys' : 'placeBid'}/${spread.id}`,
  label: `placeBid${keys === 'with-keys' ? ' with a key' : ''}, ${spread.label}`,
  perOperation: 1,
  async start(file) {
    const store = await openSqliteStore(file)
    const auctions = openAuctions(spread.auctions)
    await Promise.all(auctions.map((auction) => store.insertAuction(auction)))
    const service = createAuctionService({ store, clock: systemClock })
    await Promise.all(auctions.map((auction) => service.placeBid(spread.firstBid(auction))))
    const nextOffer = risingOffers(spread.auctions, 2, spread.stepDollars)
    const won = new Map<BidId, Offer>()
    const operation = async () => {
      const offer = nextOffer()
      const placed = await service.placeBid(bidOf(offer, auctions), nextRetryKey(keys))
      if (!placed.ok) return 'refused'
      won.set(placed.value.id, offer)
      return 'accepted'
    }
    return { operation, claims: () => claimsOf(won, store), stop: () => store.close() }
  },
})

const idsAtOnce = 1_000

/** What was won, with the sequences that the ledger has. @throws Error when it lacks a bid that was accepted. */
async function claimsOf(won: ReadonlyMap<BidId, Offer>, store: Store): Promise<readonly Claim[]> {
  const ids = [...won.keys()]
  const sequences = new Map<BidId, number>()
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    for (const { id, sequence } of await store.findEntries(ids.slice(first, first + idsAtOnce))) {
      sequences.set(id, sequence)
    }
  }
  return [...won].map(([id, offer]) => {
    const step = sequences.get(id)
    if (step === undefined) throw new Error(`the bid ${id} was accepted, and is not stored`)
    return { ...offer, step }
  })
}
