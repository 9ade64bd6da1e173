import type { Collection, Db } from 'mongodb'
import type { Spread } from '../domain/bidding-floor.ts'

/** An auction whose price is a field of it. */
export type PricedAuction = {
  readonly _id: number
  readonly dollars: number
  readonly bidderId?: number
  readonly bidCount: number
}

export async function pricedAuctions(database: Db, spread: Spread): Promise<Collection<PricedAuction>> {
  const auctions = database.collection<PricedAuction>('auctions_priced')
  await auctions.insertMany(
    Array.from({ length: spread.auctions }, (_, auction) => ({ _id: auction, dollars: 0, bidCount: 0 })),
  )
  return auctions
}
