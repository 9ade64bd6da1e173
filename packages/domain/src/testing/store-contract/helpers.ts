import type { Auction, ListedAuction } from '../../auction/auction.ts'
import type { AuctionId, BidId } from '../../ids.ts'
import type { Entry } from '../../ledger/entry.ts'
import { type RequestKey, requestKeyOf } from '../../request-key.ts'
import type { AuctionQuery, IdKind, Store, StoredAuction } from '../../store.ts'
import { type AuctionSample, sampleAuction, sampleEntry } from '../samples.ts'

export const idKinds: readonly IdKind[] = ['auctions', 'entries', 'periods']

export const auctionIdOf = (id: number): AuctionId => sampleAuction({ id }).id
export const auctionIdsOf = (ids: readonly number[]): readonly AuctionId[] => ids.map(auctionIdOf)
export const entryIdsOf = (ids: readonly number[]): readonly BidId[] => ids.map((id) => sampleEntry({ id }).id)
export const idsOf = (items: readonly { readonly id: number }[]): readonly number[] => items.map(({ id }) => id)
export const sequencesOf = (entries: readonly Entry[]): readonly number[] => entries.map(({ sequence }) => sequence)

/** The numbers from `first` to `last`. */
export const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

export const creationKey = (key: string, caller = 'caller'): RequestKey =>
  requestKeyOf('create-auction', { caller, key })
export const keyedAuction = (sample: AuctionSample, requestKey: RequestKey) =>
  ({ ...sampleAuction(sample), requestKey }) satisfies StoredAuction

export const inOrderOfIds = <Item extends { readonly id: number }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => a.id - b.id)

/** All that is stored of an auction's ledger, oldest first. */
export const ledgerOf = async (store: Store, auctionId = 1): Promise<readonly Entry[]> =>
  (await store.listEntries(auctionIdOf(auctionId), { limit: 1_000 })).toReversed()

export const headOf = async (store: Store, auctionId = 1): Promise<Entry | undefined> =>
  (await store.findHeads([auctionIdOf(auctionId)]))[0]

/** An auction as lists have it. */
export const withoutDescription = ({ description: _, ...listed }: Auction): ListedAuction => listed

/** The auctions of one page that starts at the beginning. */
export const listed = async (store: Store, query: Partial<AuctionQuery> = {}): Promise<readonly ListedAuction[]> =>
  (await store.listAuctions({ limit: 100, order: 'newest', ...query })).auctions

export const insertAll = (store: Store, samples: readonly AuctionSample[]): Promise<readonly string[]> =>
  Promise.all(samples.map((sample) => store.insertAuction(sampleAuction(sample))))

/** Many at once, since a store may take its time for each, but not all at once. */
export async function inBatches<Item, Value>(
  items: readonly Item[],
  call: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = []
  for (let start = 0; start < items.length; start += 100) {
    values.push(...(await Promise.all(items.slice(start, start + 100).map(call))))
  }
  return values
}

/** Ids of auctions whose entries may stand in one append, since they belong to one partition. */
export function auctionsOfOnePartition(store: Store): readonly [number, number, number]
export function auctionsOfOnePartition(store: Store, count: number): readonly number[]
export function auctionsOfOnePartition(store: Store, count = 3): readonly number[] {
  const wanted = store.partitionOf(auctionIdOf(1))
  const found: number[] = []
  for (let id = 1; found.length < count; id++) {
    if (store.partitionOf(auctionIdOf(id)) === wanted) found.push(id)
    if (id > 100_000) throw new Error(`no ${count} auctions share a partition`)
  }
  return found
}

/** Does to an object what a careless caller may do: overwrites all that can be overwritten, to the last level. */
export function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    tamper(Reflect.get(value, key))
    Reflect.set(value, key, 'tampered')
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0)
}
