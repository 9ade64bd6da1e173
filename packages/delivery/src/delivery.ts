import type { AuctionService } from '@auction/domain'
import { InvalidValueError } from '@auction/domain/errors'
import { withinTime } from '@auction/domain/extension'
import { createCheckpointKeeper, guardCheckpoints } from './checkpoint-keeper.ts'
import type { Checkpoints } from './checkpoints.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { createSafeDeliveryObserver, type DeliveryObserver } from './observer.ts'
import { createEventReader } from './read-events.ts'
import { createReplay, type Replay } from './replay.ts'
import type { Subscriber, Subscription } from './subscriber.ts'
import { createWalk } from './walk.ts'

export type { PublicAuction } from '@auction/domain/auction'
export type { Delivered, DeliveryFailed, DeliveryObserver, Outage } from './observer.ts'
export type { Replay, ReplayRange, ReplayReport } from './replay.ts'
export {
  type CreatedEvent,
  type DeliveryAttempt,
  type DeliveryResult,
  maxDeliveries,
  type SubscribedEvent,
  type Subscriber,
  type Subscription,
  type SubscriptionStatus,
} from './subscriber.ts'

export type DeliveryParts = {
  /** The deliveries use its store, clock and time limit. */
  readonly service: Pick<AuctionService, 'extend'>
  /** How far subscribers are, in the same place as the store of the service, so that both survive together. */
  readonly checkpoints: Checkpoints
  /** Receives internal events, for metrics and logs. */
  readonly observer?: DeliveryObserver
}

/** Delivers the events of all auctions to subscribers. */
export type Delivery = {
  /**
   * Subscribes to the events of all auctions: those that are open, from their creation, and those that end later. Auctions that ended
   * before the first service with this subscriber are left out.
   * Call it before `closeDue`, with the same subscribers on every server: otherwise the last events of an auction may be lost.
   * @throws InvalidValueError if the name is invalid or in use
   */
  readonly subscribe: (subscriber: Subscriber) => Subscription
  readonly replay: Replay
  /** Ends all subscriptions. Close the service, then the store, after this resolves: when deliveries in progress have ended, or after `limits.deadlineMs`. */
  close(): Promise<void>
}

/**
 * Creates the deliveries of a service. Create one for each service: events of its entries are noticed when they are stored, and usually not
 * read again.
 * The ledgers are the outbox: nothing is written per event. The process that stores an entry delivers it, after all that are before it.
 * An auction that is not completely delivered is on the agenda or has a checkpoint, so that a walk along both finds it after a crash.
 * @throws TypeError that names a missing service, or missing checkpoints
 */
export function createDelivery(parts: DeliveryParts): Delivery {
  const given = requireParts(parts)
  const queues = new Map<string, DeliveryQueue>()
  /** A closed subscription continues elsewhere or later, so ends are recorded for it, too. */
  const names = new Set<string>()
  const {
    store,
    clock,
    limit,
    observer: ofService,
    listEvents,
  } = given.service.extend({
    onStored({ auctionId, first, last }) {
      for (const queue of queues.values()) queue.add(auctionId, { first, last })
    },
    beforeLeavingAgenda: (auctionIds) => (names.size === 0 ? undefined : keeper.ensure(auctionIds, names)),
  })
  const observer = createSafeDeliveryObserver(ofService, given.observer)
  const checkpoints = guardCheckpoints(given.checkpoints, limit)
  const readEvents = createEventReader({ store, listEvents })
  const keeper = createCheckpointKeeper(checkpoints, clock)
  const walk = createWalk({ store, checkpoints, clock, queues, observer })
  let isClosed = false

  const inTime = (end: () => Promise<unknown>): Promise<void> =>
    withinTime(limit, end, () => new Error('deliveries did not end in time')).then(ignore, ignore)

  return {
    subscribe(subscriber) {
      requireSubscriber(subscriber)
      const { name } = subscriber
      if (isClosed) throw new InvalidValueError(`${name} cannot subscribe after the deliveries were closed`)
      if (queues.has(name)) throw new InvalidValueError(`the subscriber ${name} is subscribed already`)
      const queue = createDeliveryQueue(subscriber, { clock, keeper, readEvents, observer })
      names.add(name)
      queues.set(name, queue)
      walk.start()
      const end = async () => {
        if (queues.get(name) === queue) queues.delete(name)
        if (queues.size === 0) void walk.stop()
        await queue.close()
        await keeper.flush()
      }
      return { status: queue.status, close: () => inTime(end) }
    },

    replay: createReplay({ store, readEvents, clock, observer }),

    close() {
      isClosed = true
      const closing = [walk.stop(), ...[...queues.values()].map((queue) => queue.close())]
      queues.clear()
      return inTime(async () => {
        await Promise.all(closing)
        await keeper.close()
      })
    },
  }
}

const ignore = (): void => undefined

/** JavaScript programs may pass any value. */
function requireParts(parts: DeliveryParts): DeliveryParts {
  const { service, checkpoints }: Partial<DeliveryParts> = Object(parts)
  if (typeof service?.extend !== 'function') throw new TypeError('deliveries need a service with the function extend')
  if (typeof checkpoints?.save === 'function') return parts
  throw new TypeError('deliveries need the checkpoints of a store, an object with the function save')
}

const namePattern = /^[a-z0-9-]{1,32}$/

function requireSubscriber({ name, deliver }: Subscriber): void {
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw new InvalidValueError('the name of a subscriber must be 1 to 32 of the characters a-z, 0-9 and -')
  }
  if (typeof deliver !== 'function') throw new TypeError('a subscriber must be an object with the function deliver')
}
