import type { AuctionService, ServiceModules } from '../../../src/service.ts'
import type { Store } from '../../../src/store.ts'
import type { PlainStoreSteps } from '../../support/plain-store.ts'

/** What a planted bug puts in the place of what is right. */
export type Planted = Partial<ServiceModules> & {
  /** Steps of the store. */
  readonly steps?: Partial<PlainStoreSteps>
  /** The store, as every process sees it. */
  readonly store?: (right: Store) => Store
  readonly service?: (right: AuctionService) => AuctionService
}

/** Mistakes by name. Each is made anew for a simulation, as it may remember something. */
export type PlantedBugs = Readonly<Record<string, () => Planted>>
