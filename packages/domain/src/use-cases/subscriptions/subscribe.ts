import type { Entry } from '../../auction/entry.ts'
import type { Clock } from '../../clock.ts'
import type { Written } from '../../ledger/write.ts'
import type { Lifetime } from '../../lifetime.ts'
import type { SafeObserver } from '../../observer.ts'
import type { AgendaUpdate, Checkpoints, Store } from '../../store/store.ts'
import { type TimeLimit, withinTime } from '../../time-limit.ts'
import type { AuctionId } from '../../values/ids.ts'
import { InvalidValueError } from '../../values/validation.ts'
import { type CheckpointKeeper, createCheckpointKeeper, guardCheckpoints } from './checkpoint-keeper.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import type { ReadEvents } from './read-events.ts'
import type { Subscribe, Subscriber } from './subscriber.ts'
import { createWalk, type Walk } from './walk.ts'

export type Subscriptions = {
  readonly subscribe: Subscribe
  /** Notices the stored entries of a write. */
  onWritten(written: Pick<Written, 'stored'>, entries: readonly Entry[]): void
  /** Notices a stored auction. */
  onCreated(auctionId: AuctionId): void
  /** Makes sure that the events of auctions that leave the agenda will be found. Undefined if that takes no time. */
  beforeUpdate(updates: readonly AgendaUpdate[]): Promise<void> | undefined
  /** Ends all subscriptions in the background. */
  close(): void
}

export type SubscriptionsParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findAuctions' | 'findHeads' | 'updateAgenda'>
  readonly checkpoints: Checkpoints | undefined
  readonly readEvents: ReadEvents
  readonly clock: Clock
  readonly limit: TimeLimit
  readonly inBackground: Lifetime['inBackground']
  readonly observer?: SafeObserver | undefined
}

/** The parts that the subscribers of a service share. */
type Shared = { readonly keeper: CheckpointKeeper; readonly walk: Walk }

/**
 * The ledgers are the outbox: nothing is written per event. The process that stores an entry delivers it, after all that are before it.
 * An auction that is not completely delivered is on the agenda or has a checkpoint, so that a walk along both finds it after a crash.
 */
export function createSubscriptions(parts: SubscriptionsParts): Subscriptions {
  const { store, clock, limit, inBackground, observer } = parts
  const queues = new Map<string, DeliveryQueue>()
  /** A closed subscription continues elsewhere or later, so ends are recorded for it, too. */
  const names = new Set<string>()
  let shared: Shared | undefined

  function share(given: Checkpoints | undefined): Shared {
    if (given === undefined)
      throw new TypeError('the store of an auction service with subscribers must have checkpoints')
    const checkpoints = guardCheckpoints(given, limit)
    const keeper = createCheckpointKeeper({ checkpoints, clock, inBackground })
    const walk = createWalk({ store, checkpoints, clock, queues, inBackground, observer })
    return { keeper, walk }
  }

  return {
    subscribe(subscriber) {
      requireSubscriber(subscriber)
      const { name } = subscriber
      if (queues.has(name)) throw new InvalidValueError(`the subscriber ${name} is subscribed already`)
      shared ??= share(parts.checkpoints)
      const { keeper, walk } = shared
      const queue = createDeliveryQueue(subscriber, { ...parts, keeper })
      names.add(name)
      queues.set(name, queue)
      walk.start()
      const end = async () => {
        if (queues.get(name) === queue) queues.delete(name)
        if (queues.size === 0) walk.stop()
        await queue.close()
        await keeper.flush()
      }
      return {
        status: queue.status,
        close: () => withinTime(limit, end, () => new Error('deliveries did not end in time')).catch(() => undefined),
      }
    },

    onWritten({ stored }, [entry, ...others]) {
      if (queues.size === 0 || stored === 0 || entry === undefined || isAfterEnd(entry)) return
      const { auctionId, sequence } = entry
      const last = Math.min(stored - 1, others.length)
      for (const queue of queues.values()) queue.add(auctionId, sequence - 1, sequence + last)
    },

    onCreated(auctionId) {
      // Without a read: before this, the auction had no checkpoint.
      for (const queue of queues.values()) queue.add(auctionId, -1, 0)
    },

    beforeUpdate(updates) {
      if (shared === undefined) return undefined
      const ended = updates.flatMap((update) => ('endedMs' in update ? [update.auctionId] : []))
      return ended.length === 0 ? undefined : shared.keeper.ensure(ended, names)
    },

    close() {
      if (shared === undefined) return
      const { keeper, walk } = shared
      walk.stop()
      const closing = [...queues.values()].map((queue) => queue.close())
      queues.clear()
      void inBackground(async () => {
        await Promise.all(closing)
        await keeper.flush()
        keeper.close()
      })()
    },
  }
}

/** A cancellation of a cancelled auction has no event. Its checkpoint may be removed already, so deliveries would begin again. */
const isAfterEnd = ({ state, atMs }: Entry): boolean => state.phase === 'closed' && state.atMs < atMs

const namePattern = /^[a-z0-9-]{1,32}$/

/** JavaScript programs may pass any value. */
function requireSubscriber({ name, deliver, maxDeliveries, timeoutMs }: Subscriber): void {
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw new InvalidValueError('the name of a subscriber must be 1 to 32 of the characters a-z, 0-9 and -')
  }
  if (typeof deliver !== 'function') throw new TypeError('a subscriber must be an object with the function deliver')
  for (const [option, value] of Object.entries({ maxDeliveries, timeoutMs })) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value < 2 ** 31)) continue
    throw new InvalidValueError(
      `the ${option} of a subscriber must be an integer from 1 to ${2 ** 31 - 1}; got ${value}`,
    )
  }
}
