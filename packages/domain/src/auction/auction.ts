import type * as v from 'valibot'
import type { AuctionFields } from '../stored.ts'

/** An auction as it was created. It never changes: what becomes of it is told by its ledger and the clock. */
export type Auction = Readonly<Omit<v.InferOutput<typeof AuctionFields>, 'version'>>

/** A new auction, parsed: money in minor units, times comparable. */
export type NewAuction = Omit<Auction, 'id' | 'createdAtMs'>

export type SoftClose = NonNullable<Auction['softClose']>

/** An auction as lists have it: the descriptions of a hundred auctions may take megabytes, and only the single read shows one. */
export type ListedAuction = Omit<Auction, 'description'>

/**
 * What decisions need of an auction, and what a process remembers of each: a few hundred bytes, where its texts may have tens of
 * thousands.
 */
export type Terms = Omit<Auction, 'productId' | 'title' | 'description' | 'createdAtMs'>

/** The terms alone, to be kept where the auction need not be. */
export function termsOf(auction: ListedAuction): Terms {
  const { productId: _, title: __, description: ___, createdAtMs: ____, ...terms }: Auction = auction
  return terms
}
