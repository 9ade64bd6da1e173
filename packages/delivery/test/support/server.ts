import { createMemoryStore, type ManualClock } from '@auction/adapters/memory'
import { type AuctionService, createAuctionService } from '@auction/domain'
import type { Store } from '@auction/domain/store'
import { createSteppedClock } from '../../../domain/test/support/clocks.ts'
import { openTime } from '../../../domain/test/support/service.ts'
import type { Checkpoint, Checkpoints } from '../../src/checkpoints.ts'
import { createDelivery, type Delivery, type DeliveryObserver } from '../../src/delivery.ts'

/** A store with the checkpoints in the same place, as adapters have them. */
export type TestStore = Store & { readonly checkpoints: Checkpoints }

export const createTestStore: () => TestStore = createMemoryStore

/** A service with its deliveries, as one server has them. */
export type TestServer = Omit<AuctionService, 'close'> & Omit<Delivery, 'hooks'>

type TestServerParts = {
  readonly store?: TestStore
  readonly clock?: ManualClock
  readonly observer?: DeliveryObserver
}

/** Starts a server. Its close ends the deliveries before the service. */
export function startServer({
  store = createTestStore(),
  clock = createSteppedClock(openTime),
  observer,
}: TestServerParts = {}): TestServer {
  const { checkpoints } = store
  const delivery = createDelivery({ store, checkpoints, clock, ...(observer && { observer }) })
  const service = createAuctionService({ store, clock, hooks: delivery.hooks })
  return {
    ...service,
    ...delivery,
    async close() {
      await delivery.close()
      await service.close()
    },
  }
}

/** All checkpoints, as text. */
export const savedIn = async ({ checkpoints }: TestStore): Promise<readonly string[]> =>
  (await checkpoints.list({ limit: 1_000 })).map(textOf)

const textOf = ({ auctionId, name, sequence }: Checkpoint): string => `${name} ${auctionId}/${sequence}`
