import type { RequestKey } from '@auction/domain/request-key'
import type { Store } from '@auction/domain/store'
import type { Fault } from './faults.ts'

/** A store that two HTTP servers share, with what may befall it. */
export type StoreUnderTest = {
  /** The settings by which each of the servers uses it. */
  readonly settings: readonly [Settings, Settings]
  readonly faults: readonly Fault[]
  /** Opens the store, with nothing between it and the test. */
  open(): Promise<Store & { close(): Promise<void> }>
  /** The keys under which auctions were created, by their ids: the store's own reads do not tell them. */
  requestKeysOfAuctions(): Promise<ReadonlyMap<number, RequestKey>>
  stop(): Promise<void>
}

export type Settings = Readonly<Record<string, string>>
