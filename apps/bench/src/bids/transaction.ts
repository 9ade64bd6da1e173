import type { ClientSession } from 'mongodb'
import type { Contestant } from '../contest/contestant.ts'
import type { Claim } from '../contest/wrong-outcomes.ts'
import { incrementDollars, risingOffers, type Spread } from '../domain/bidding-floor.ts'
import { pricedAuctions } from './priced-auctions.ts'

// The driver repeats what conflicts for two minutes; nobody waits that long for the answer to a bid.
const timeoutMs = 10_000

/** A transaction a bid: read the price, update it, and insert the bid. */
export const transactionPerBid = (spread: Spread): Contestant => ({
  id: `transaction/${spread.id}`,
  label: `withTransaction, ${spread.label}`,
  perOperation: 1,
  async start({ database, client }, clients) {
    const auctions = await pricedAuctions(database, spread)
    const bids = await database.createCollection('bids_transacted')
    const sessions = Array.from({ length: clients }, () => client.startSession())
    const nextOffer = risingOffers(spread.auctions, 1)
    const claims: Claim[] = []

    /** The price that the bid goes above, or undefined when it is too low for it. */
    async function priceBefore({ auction, dollars }: ReturnType<typeof nextOffer>, session: ClientSession) {
      const found = await auctions.findOne({ _id: auction }, { session })
      if (found === null) throw new Error(`auction ${auction} is gone`)
      if (dollars < found.dollars + incrementDollars) return undefined
      await auctions.updateOne({ _id: auction }, { $set: { dollars, bidderId: 2 }, $inc: { bidCount: 1 } }, { session })
      await bids.insertOne({ auctionId: auction, dollars, bidderId: 2, at: new Date() }, { session })
      return found.dollars
    }

    const operation = async (number: number) => {
      const offer = nextOffer()
      const session = sessions[number]
      if (session === undefined) throw new RangeError(`there is no client ${number}`)
      const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const
      const inTransaction = (its: ClientSession) => priceBefore(offer, its)
      const step = await session.withTransaction(inTransaction, { ...options, timeoutMS: timeoutMs })
      if (step === undefined) return 'refused'
      claims.push({ ...offer, step })
      return 'accepted'
    }
    const stop = async () => {
      await Promise.all(sessions.map((session) => session.endSession()))
    }
    return { operation, claims: async () => claims, stop }
  },
})
