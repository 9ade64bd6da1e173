import type { TermsOf } from './common-terms.ts'
import { type AnyTypes, formatOf } from './formats/formats.ts'

/** An auction as it was created. It never changes; its ledger and the clock determine its status, price and result. */
export type Auction = AnyTypes['auction']

type Without<Union, Names extends string> = Union extends unknown ? Omit<Union, Names> : never

/** A new auction, with amounts in minor units. `parseNewAuction` checks it. */
export type NewAuction = Without<Auction, 'id' | 'createdAtMs'>

/** An auction in a list. It has no description, because a page of descriptions may take megabytes. */
export type ListedAuction = Without<Auction, 'description'>

/** An auction in a list without its secrets. */
export type PublicAuction = Without<ListedAuction, AnyTypes['secret']>

export function publicAuctionOf(auction: ListedAuction): PublicAuction {
  const secrets: readonly string[] = formatOf(auction).secrets
  // The cast: only secrets are left out.
  return Object.fromEntries(Object.entries(auction).filter(([name]) => !secrets.includes(name))) as PublicAuction
}

/**
 * The fields of an auction that decisions need. A process caches them as they were created: a few hundred bytes,
 * without the long texts.
 */
export type Terms = TermsOfEach<Auction>
type TermsOfEach<Union> = Union extends unknown ? TermsOf<Union> : never

export function termsOf<Of extends ListedAuction>(auction: Of): Extract<Terms, { readonly format?: Of['format'] }>
export function termsOf(auction: ListedAuction): Terms {
  const { productId: _, title: __, description: ___, createdAtMs: ____, ...terms }: Auction = auction
  return terms
}
