import type { CompleteStore } from '@auction/domain/store'

// The parts of a store, each of which has its own file in every adapter.

export type AuctionPart = Pick<
  CompleteStore,
  'insertAuction' | 'findAuction' | 'findAuctions' | 'updateAgenda' | 'addTitleWords'
>
export type AuctionListPart = Pick<CompleteStore, 'listAuctions'>
export type EntryPart = Pick<
  CompleteStore,
  'append' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries' | 'listBidderEntries'
>
export type AppendedPart = Required<Pick<CompleteStore, 'appendedSince'>>
export type IdBlockPart = Pick<CompleteStore, 'claimNextIdBlock'>
