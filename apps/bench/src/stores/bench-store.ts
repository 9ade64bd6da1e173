import type { Store } from '@auction/domain/store'
import { nextRetryKey } from '../bidding.ts'
import type { Operation } from '../measure/closed-loop.ts'
import type { Defer } from '../scope.ts'

/** A store to measure. To add one, write a file with such an object, name it in stores.ts, and give it goals in targets.ts. */
export type BenchStore = {
  readonly label: string
  /** For a server: the environment variable that has its URI, and the URI of one that was started on a port of 127.0.0.1. */
  readonly server?: { readonly uriVariable: string; readonly uriOf: (port: number) => string }
  /** Whether the driver blocks its caller, so that one client has the raw rate of any number of them. */
  readonly isBlocking?: true
  /** The name and version that it reports. @param uri that of a server; empty for a store of this process */
  version(uri: string): Promise<string>
  /** Makes an empty database, for one point of one round, and returns its address. */
  openScratch(uri: string, defer: Defer): Promise<string>
  /** Opens the adapter, in any process. */
  open(address: string): Promise<Store & { close(): Promise<void> }>
  /** Opens the driver alone. Left out where no driver is under the store. */
  readonly openRaw?: (address: string, isKeyed: boolean, defer: Defer) => Promise<Raw>
  /** What people write instead, by name: bids in tables for them alone, on so many auctions. */
  readonly alternatives?: Readonly<
    Record<string, (address: string, auctions: number, defer: Defer) => Promise<Operation>>
  >
}

/** Durable inserts of entries into a table for them alone, with the unique keys of a ledger, and with nothing decided. */
export type Raw = {
  readonly insert: Operation
  /** Inserts `batch` entries in one transaction or call. */
  readonly insertBatch: Operation
}
export const batch = 100

/** Entries as large as those of bids: the keys of each, and the rest of it, which is the same in all. */
export function rawEntries(isKeyed: boolean) {
  let id = 0
  return () => {
    id += 1
    const requestKey = isKeyed ? `${nextRetryKey().caller} place-bid ${nextRetryKey().key}` : undefined
    return { id, auctionId: 1, sequence: id, requestKey, ...rawFields }
  }
}
const leader = { bidId: 1_000_000, bidderId: 2, amountMinor: 100_000 }
const rawFields = {
  atMs: 1_900_000_000_000,
  event: { type: 'bid-placed', bidderId: 2, amountMinor: 100_000 },
  state: { phase: 'open', bidCount: 1_000, leader, atMs: 1_900_000_000_000 },
}
