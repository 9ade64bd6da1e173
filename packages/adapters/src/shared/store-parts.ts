import type { Store } from '@auction/domain/store'

// The parts of a store, each of which has its own file in every adapter.

export type AuctionPart = Pick<
  Store,
  'insertAuction' | 'findAuction' | 'findAuctions' | 'updateAgenda' | 'addTitleWords'
>
export type AuctionListPart = Pick<Store, 'listAuctions'>
export type EntryPart = Pick<
  Store,
  'append' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries' | 'listBidderEntries'
>
export type AppendedPart = Required<Pick<Store, 'appendedSince'>>
export type IdBlockPart = Pick<Store, 'claimNextIdBlock'>
