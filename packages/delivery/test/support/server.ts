import { createMemoryStore, type ManualClock } from '@auction/adapters/memory'
import { type AuctionService, createAuctionService, type Observer } from '@auction/domain'
import type { Store } from '@auction/domain/store'
import { createSteppedClock } from '../../../domain/test/support/clocks.ts'
import { openTime } from '../../../domain/test/support/service.ts'
import type { Checkpoint, Checkpoints } from '../../src/checkpoints.ts'
import { createDelivery, type Delivery, type DeliveryObserver } from '../../src/delivery.ts'
import { createTestSubscriber } from './subscriber.ts'

/** A store with the checkpoints in the same place, as adapters have them. */
export type TestStore = Store & { readonly checkpoints: Checkpoints }

export const createTestStore: () => TestStore = createMemoryStore

/** The store with another `save` of its checkpoints. */
export const savingBy = (store: TestStore, save: Checkpoints['save']): TestStore => ({
  ...store,
  checkpoints: { ...store.checkpoints, save },
})

/** A service with its deliveries, as one server has them. */
export type TestServer = Omit<AuctionService, 'close'> & Delivery

type TestServerParts = {
  readonly store?: TestStore
  readonly clock?: ManualClock
  readonly observer?: Observer & DeliveryObserver
}

/** Starts a server. Its close ends the deliveries before the service. */
export function startServer({
  store = createTestStore(),
  clock = createSteppedClock(openTime),
  observer,
}: TestServerParts = {}): TestServer {
  const { checkpoints } = store
  const observed = observer && { observer }
  const service = createAuctionService({ store, clock, ...observed })
  const delivery = createDelivery({ service, checkpoints, ...observed })
  return {
    ...service,
    ...delivery,
    async close() {
      await delivery.close()
      await service.close()
    },
  }
}

/** Servers over one store and clock, the first of which has a subscriber. */
export function subscribed(store: TestStore = createTestStore()) {
  const clock = createSteppedClock(openTime)
  const reports: (readonly [part: string, value: unknown])[] = []
  const observer: DeliveryObserver = {
    onDelivered: (delivered) => reports.push(['delivered', delivered]),
    onDeliveryFailed: (failed) => reports.push(['delivery failed', failed]),
    onDeliveryGivenUp: (failed) => reports.push(['delivery given up', failed]),
    onOutage: (outage) => reports.push(['outage', outage]),
  }
  const start = () => startServer({ store, clock, observer })
  const service = start()
  const subscriber = createTestSubscriber()
  const subscription = service.subscribe(subscriber)
  const reportsOf = (...parts: readonly string[]) => reports.filter(([part]) => parts.includes(part))
  return { store, clock, start, service, subscriber, subscription, reportsOf }
}

/** All checkpoints, as text. */
export const savedIn = async ({ checkpoints }: TestStore): Promise<readonly string[]> =>
  (await checkpoints.list({ limit: 1_000 })).map(textOf)

const textOf = ({ auctionId, name, sequence }: Checkpoint): string => `${name} ${auctionId}/${sequence}`
