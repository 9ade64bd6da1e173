import { connectMongoStore } from '@auction/adapters/mongodb'
import { systemClock } from '@auction/adapters/system'
import type { Auction } from '@auction/domain/auction/auction'
import type { Clock } from '@auction/domain/clock'
import type { Limits } from '@auction/domain/limits'
import { type AuctionService, createAuctionService } from '@auction/domain/service'
import { type Spread, spreads } from '../domain/bidding-floor.ts'
import type { Scratch } from './server.ts'

export type OurOptions = {
  /** What is bid on each auction before anything is measured. */
  readonly firstBid?: Spread['firstBid']
  readonly limits?: Partial<Limits>
  readonly clock?: Clock
}

/**
 * The service that production runs, on the MongoDB adapter, as it is after a while: with a bid on each auction, whose
 * terms and head it remembers. What it reads once for that comes from memory and not from the server, since servers whose reads
 * scan would take longer for it than for all that is measured. Closing the service closes its store.
 */
export async function openOurService(
  { uri, maxConnections }: Scratch,
  auctions: readonly Auction[],
  { firstBid = spreads.hot.firstBid, limits = {}, clock = systemClock }: OurOptions = {},
): Promise<AuctionService> {
  const mongo = await connectMongoStore(uri, { maxConnections })
  const byId = new Map(auctions.map((auction) => [auction.id, auction]))
  let isWarm = false
  const store = {
    ...mongo,
    findAuction: async (id: Auction['id']) => byId.get(id),
    findHeads: async (ids: readonly Auction['id'][]) => (isWarm ? mongo.findHeads(ids) : []),
  }
  const service = createAuctionService({ store, clock, limits })
  try {
    await Promise.all(
      auctions.map(async (auction) => {
        const placed = await service.placeBid(firstBid(auction))
        if (!placed.ok) throw new Error(`the first bid on an auction was refused: ${placed.refusal.code}`)
      }),
    )
  } catch (error) {
    await close()
    throw error
  }
  isWarm = true
  return { ...service, close }

  async function close(): Promise<void> {
    await service.close()
    await mongo.close()
  }
}
