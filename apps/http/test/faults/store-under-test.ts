import type { RequestKey } from '@auction/domain/request-key'
import type { Store } from '@auction/domain/store'
import type { InjectedFault } from './faults.ts'
import type { Settings } from './http-server.ts'

/** A store that two HTTP servers share, and its faults. */
export type StoreUnderTest = {
  /** The settings of each server for the store. */
  readonly settings: readonly [Settings, Settings]
  readonly faults: readonly InjectedFault[]
  /** Opens the store without a proxy. */
  open(): Promise<Store & { close(): Promise<void> }>
  /** The request keys of created auctions, by auction id: the reads of a store do not return them. */
  requestKeysOfAuctions(): Promise<ReadonlyMap<number, RequestKey>>
  stop(): Promise<void>
}
