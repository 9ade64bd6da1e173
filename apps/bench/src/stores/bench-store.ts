import { randomUUID } from 'node:crypto'
import type { Store } from '@auction/domain/store'
import type { Defer } from '../scope.ts'

/**
 * A store to measure. To add one, write a file with such an object, add it to stores.ts, and give it targets in
 * targets.ts.
 */
export type BenchStore = {
  /** The environment variable with the URI of a server. A store without one belongs to one process. */
  readonly uriVariable?: string
  /** Whether the driver blocks its caller, so that one client reaches the raw rate of any number of clients. */
  readonly isBlocking?: true
  /** The reported name and version. @param uri the URI of a server; empty for a store of this process */
  version(uri: string): Promise<string>
  /** Creates an empty database, for one point of one round, and returns its address. */
  openScratch(uri: string, defer: Defer): Promise<string>
  /** Opens the adapter, in any process. */
  open(address: string): Promise<Store & { close(): Promise<void> }>
  /** Opens the driver alone. Omitted for a store without a driver. */
  readonly openRaw?: (address: string, isKeyed: boolean, defer: Defer) => Promise<RawInsert>
}

/** Inserts an entry durably, into a separate table with the unique keys of a ledger, and without decisions. */
export type RawInsert = () => Promise<unknown>

/**
 * A new UUID as the `Idempotency-Key`, as clients send. The caller has the length of one that a host derives from a
 * token.
 */
export const nextRetryKey = () => ({ caller: 'c'.repeat(43), key: randomUUID() })

/** Entries of the size of bids: the keys of each, and the other data as JSON, which is the same in all. */
export function rawEntries(isKeyed: boolean) {
  let id = 0
  return () => {
    id += 1
    const { caller, key } = nextRetryKey()
    return {
      id,
      auctionId: 1,
      sequence: id,
      requestKey: isKeyed ? `${caller} place-bid ${key}` : null,
      data: rawFields,
    }
  }
}
const leader = { bidId: 1_000_000, bidderId: 2, amountMinor: 100_000 }
const rawFields = {
  atMs: 1_900_000_000_000,
  event: { type: 'bid-placed', bidderId: 2, amountMinor: 100_000 },
  state: { phase: 'open', bidCount: 1_000, leader, atMs: 1_900_000_000_000 },
}
