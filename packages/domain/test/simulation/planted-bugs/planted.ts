import type { AuctionService, ServiceModules } from '../../../src/service.ts'
import type { Store } from '../../../src/store/store.ts'
import type { PlainStoreSteps } from '../../support/plain-store.ts'
import type { FollowerSteps } from '../followers.ts'

/** What a planted bug replaces. */
export type Planted = Partial<ServiceModules> & {
  /** Steps of the store. */
  readonly steps?: Partial<PlainStoreSteps>
  /** The store, as every process sees it. */
  readonly store?: (right: Store) => Store
  readonly follower?: Partial<FollowerSteps>
  readonly service?: (right: AuctionService) => AuctionService
}

/** Bugs by name. Each is created separately per simulation, as it may have state. */
export type PlantedBugs = Readonly<Record<string, () => Planted>>
