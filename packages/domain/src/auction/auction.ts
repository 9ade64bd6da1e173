import type * as v from 'valibot'
import type { AuctionFields } from '../store/stored.ts'

/** An auction as it was created. It never changes; its ledger and the clock determine its status, price and result. */
export type Auction = Readonly<Omit<v.InferOutput<typeof AuctionFields>, 'version'>>

/** A parsed new auction, with amounts in minor units. */
export type NewAuction = Omit<Auction, 'id' | 'createdAtMs'>

export type SoftClose = NonNullable<Auction['softClose']>

/** An auction in a list. It has no description, because a page of descriptions may take megabytes. */
export type ListedAuction = Omit<Auction, 'description'>

/** The fields of an auction that decisions need. A process caches them: a few hundred bytes, without the long texts. */
export type Terms = Omit<Auction, 'productId' | 'title' | 'description' | 'createdAtMs'>

/** Returns the terms of an auction. */
export function termsOf(auction: ListedAuction): Terms {
  const { productId: _, title: __, description: ___, createdAtMs: ____, ...terms }: Auction = auction
  return terms
}
