import type { Clock } from '../../../src/clock.ts'
import type { Limits } from '../../../src/limits.ts'
import type { AuctionService } from '../../../src/service.ts'
import type { CompleteStore, Store } from '../../../src/store/store.ts'
import type { PlantedDelivery } from '../deliveries.ts'

/** What a process has besides its service: the store without its link, and its clock. */
export type ServedBy = { readonly store: Store; readonly clock: Clock }

/** What a follower does. */
export type FollowerSteps = {
  /** The position after which it reads, with the sequence of the last entry that was noticed. */
  readonly readAfter: (position: number, noticed: number) => number
  /** The position from which it continues after a connection broke. */
  readonly resumeFrom: (position: number) => number
}

/**
 * A bug: what is wrong in the store, or between the store and the clients of each process. The service itself is the
 * correct one.
 */
export type Planted = {
  /** The store, as every process sees it. */
  readonly store?: (right: CompleteStore) => CompleteStore
  /** The store, as one run of a process sees it: a bug in how the process uses the store. */
  readonly storeOfProcess?: (right: Store) => Store
  /** The limits of every process that differ from those that the simulation expects. */
  readonly limits?: Partial<Limits>
  /** The service, as one run of a process serves it. */
  readonly service?: (right: AuctionService, servedBy: ServedBy) => AuctionService
  readonly follower?: Partial<FollowerSteps>
  readonly delivery?: PlantedDelivery
}

/** Bugs by name. Each is created separately per simulation, as it may have state. */
export type PlantedBugs = Readonly<Record<string, () => Planted>>

/** Plants a bug in the operations of the service. */
export const withService = (plant: (right: AuctionService, servedBy: ServedBy) => Partial<AuctionService>) => () => ({
  service: (right: AuctionService, servedBy: ServedBy): AuctionService => ({ ...right, ...plant(right, servedBy) }),
})

/** Plants a bug in the store, as every process sees it. */
export const withStore = (plant: (right: Store) => Partial<CompleteStore>) => () => ({
  store: (right: CompleteStore): CompleteStore => ({ ...right, ...plant(right) }),
})

/** Plants a bug in the calls that a process makes, or in how it understands their results. */
export const withStoreOfProcess = (plant: (right: Store) => Partial<Store>) => () => ({
  storeOfProcess: (right: Store): Store => ({ ...right, ...plant(right) }),
})
