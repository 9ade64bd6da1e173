import type { Clock } from '../../clock.ts'
import type { Lifetime } from '../../lifetime.ts'
import type { SafeObserver } from '../../observer.ts'
import type { AuctionId } from '../../values/ids.ts'
import { createPauses } from './attempts.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import { createOutages } from './outages.ts'
import { createPageDelivery, type DeliveryState } from './page-delivery.ts'
import type { ReadEvents } from './read-events.ts'
import type { Subscriber, SubscriptionStatus } from './subscriber.ts'

/** The deliveries to one subscriber. */
export type DeliveryQueue = {
  /**
   * Delivers the events of an auction after its checkpoint, up to an entry that is stored. If the checkpoint of this process is before
   * `least`, it is read. False if the auction is not queued now: it is known, or too many are.
   */
  add(auctionId: AuctionId, least: number, last: number): boolean
  /** Whether auctions wait for free deliveries, so that no more need to be found. */
  readonly hasBacklog: () => boolean
  /** Whether auctions were left out since the last call, and may be added now. */
  readonly takeLeftOut: () => boolean
  readonly status: () => SubscriptionStatus
  /** Begins nothing more. Resolves when the deliveries in progress have ended. */
  close(): Promise<void>
}

export type DeliveryQueueParts = {
  readonly clock: Clock
  readonly keeper: CheckpointKeeper
  readonly readEvents: ReadEvents
  readonly inBackground: Lifetime['inBackground']
  readonly observer?: SafeObserver | undefined
}

/** An auction with events to deliver. */
type Pending = DeliveryState & { cancelPause: (() => void) | undefined }

/** The maximum number of auctions in the queue. Others are found by the walk. */
export const maxPending = 5_000

export function createDeliveryQueue(subscriber: Subscriber, parts: DeliveryQueueParts): DeliveryQueue {
  const { name, maxDeliveries = 32 } = subscriber
  const { clock, inBackground, observer } = parts
  const pauses = createPauses()
  const pending = new Map<AuctionId, Pending>()
  const ready = new Set<Pending>()
  let active = 0
  let isLeftOut = false
  let isClosed = false
  let onIdle: (() => void) | undefined
  const outages = createOutages({
    name,
    clock,
    observer,
    pauses,
    onBegin() {
      for (const each of pending.values()) if (each.cancelPause !== undefined) resume(each)
    },
    onMayStart: () => startAll(),
  })
  const deliverPage = createPageDelivery(subscriber, { ...parts, outages, pauses, isClosed: () => isClosed, finish })

  function startAll(): void {
    for (const each of ready) {
      if (isClosed || active >= maxDeliveries || !outages.mayStart(each.auctionId)) return
      ready.delete(each)
      active += 1
      void inBackground(serve)(each).finally(() => {
        active -= 1
        if (active === 0) onIdle?.()
        startAll()
      })
    }
  }

  async function serve(each: Pending): Promise<void> {
    const pauseMs = await deliverPage(each)
    outages.release(each.auctionId)
    if (pauseMs === undefined) finish(each)
    else if (pauseMs === 0) ready.add(each)
    else if (!isClosed) each.cancelPause = clock.after(pauseMs, () => resume(each))
  }

  /** From then on, an added event of the auction begins a new delivery. */
  function finish(each: DeliveryState): void {
    if (pending.get(each.auctionId) === each) pending.delete(each.auctionId)
  }

  function resume(each: Pending): void {
    each.cancelPause?.()
    each.cancelPause = undefined
    ready.add(each)
    startAll()
  }

  return {
    add(auctionId, least, last) {
      const known = pending.get(auctionId)
      if (known !== undefined) known.last = Math.max(known.last, last)
      if (known !== undefined || isClosed) return false
      if (pending.size >= maxPending) {
        isLeftOut = true
        return false
      }
      const sinceMs = clock.nowMs()
      const each = { auctionId, position: undefined, least, last, attempts: 0, sinceMs, cancelPause: undefined }
      pending.set(auctionId, each)
      ready.add(each)
      startAll()
      return true
    },
    hasBacklog: () => !outages.isOut() && ready.size > maxPending / 2,
    takeLeftOut() {
      const isTaken = isLeftOut && !outages.isOut()
      if (isTaken) isLeftOut = false
      return isTaken
    },
    status: () => statusOf(pending, clock.nowMs()),
    async close() {
      isClosed = true
      outages.close()
      for (const each of pending.values()) each.cancelPause?.()
      if (active > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      pending.clear()
      ready.clear()
    },
  }
}

function statusOf(pending: ReadonlyMap<AuctionId, Pending>, nowMs: number): SubscriptionStatus {
  let oldestMs = nowMs
  for (const { sinceMs } of pending.values()) oldestMs = Math.min(oldestMs, sinceMs)
  return { pending: pending.size, oldestPendingMs: nowMs - oldestMs }
}
