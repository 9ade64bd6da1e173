import type { BidId } from '@auction/domain/ids'
import type { Limits } from '@auction/domain/limits'
import type { Db } from 'mongodb'
import type { Contestant } from '../contest/contestant.ts'
import type { Claim } from '../contest/wrong-outcomes.ts'
import { bidOf, type Offer, openAuctions, risingOffers, type Spread } from '../domain/bidding-floor.ts'
import { openOurService } from '../mongodb/our-service.ts'
import { type Keys, nextRetryKey } from './request-keys.ts'

/** Ours: the service that production runs, on the MongoDB adapter. */
export const placeBid = (spread: Spread, keys: Keys): Contestant => ({
  id: `${keys === 'with-keys' ? 'placeBid-with-keys' : 'placeBid'}/${spread.id}`,
  label: `placeBid${keys === 'with-keys' ? ' with a key' : ''}, ${spread.label}`,
  ...placingBids(spread, keys),
})

/** Bids of all clients on the auctions in turn, through one service. */
export const placingBids = (
  spread: Spread,
  keys: Keys,
  limits: Partial<Limits> = {},
): Pick<Contestant, 'perOperation' | 'start'> => ({
  perOperation: 1,
  async start(scratch) {
    const auctions = openAuctions(spread.auctions)
    const service = await openOurService(scratch, auctions, { limits, firstBid: spread.firstBid })
    const nextOffer = risingOffers(spread.auctions, 2, spread.stepDollars)
    const won = new Map<BidId, Offer>()
    const operation = async () => {
      const offer = nextOffer()
      const placed = await service.placeBid(bidOf(offer, auctions), nextRetryKey(keys))
      if (!placed.ok) return 'refused'
      won.set(placed.value.id, offer)
      return 'accepted'
    }
    return { operation, claims: () => claimsOf(won, scratch.database), stop: () => service.close() }
  },
})

/** What was won, with the sequences that the ledger has. @throws Error when it lacks a bid that was accepted. */
async function claimsOf(won: ReadonlyMap<BidId, Offer>, database: Db): Promise<readonly Claim[]> {
  const sequences = new Map<number, number>()
  for await (const { _id, sequence } of database.collection('entries').find({}, { projection: { sequence: 1 } })) {
    sequences.set(Number(_id), sequence)
  }
  return [...won].map(([id, offer]) => {
    const step = sequences.get(id)
    if (step === undefined) throw new Error(`the bid ${id} was accepted, and is not stored`)
    return { ...offer, step }
  })
}
