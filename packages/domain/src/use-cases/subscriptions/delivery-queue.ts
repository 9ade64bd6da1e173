import type { Clock } from '../../clock.ts'
import type { AuctionId } from '../../ids.ts'
import type { Lifetime } from '../../lifetime.ts'
import type { SafeObserver } from '../../observer.ts'
import { unreadableCauseOf } from '../../unreadable-stored.ts'
import { createAttempts, createPauses, isLastAttempt } from './attempts.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import { createOutages } from './outages.ts'
import type { ReadEvents } from './read-events.ts'
import type { SubscribedEvent, Subscriber, SubscriptionStatus } from './subscriber.ts'

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
type Pending = {
  readonly auctionId: AuctionId
  /** The sequence of the last delivered event; undefined until it is read. */
  position: number | undefined
  least: number
  last: number
  /** The failed attempts for the next event. */
  attempts: number
  /** When the next event was recorded or noticed. */
  sinceMs: number
  cancelPause: (() => void) | undefined
}

/** The maximum number of auctions in the queue. Others are found by the walk. */
export const maxPending = 5_000
/** After this time in the queue, others may have delivered events. */
const waitMs = 500
/** The pause after a failed read. */
const unavailableMs = 5_000

export function createDeliveryQueue(subscriber: Subscriber, parts: DeliveryQueueParts): DeliveryQueue {
  const { name, types, maxDeliveries = 32 } = subscriber
  const { clock, keeper, readEvents, inBackground, observer } = parts
  const attempt = createAttempts(subscriber, clock)
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
    let pauseMs: number | undefined
    try {
      pauseMs = await deliverPage(each)
    } catch (error) {
      const unreadable = unreadableCauseOf(error)
      if (unreadable !== undefined) observer?.onUnreadable(unreadable)
      // The walk returns to an unreadable auction.
      pauseMs = unreadable === undefined ? unavailableMs : undefined
    }
    outages.release(each.auctionId)
    if (pauseMs === undefined) finish(each)
    else if (pauseMs === 0) ready.add(each)
    else if (!isClosed) each.cancelPause = clock.after(pauseMs, () => resume(each))
  }

  /** From then on, an added event of the auction begins a new delivery. */
  function finish(each: Pending): void {
    if (pending.get(each.auctionId) === each) pending.delete(each.auctionId)
  }

  function resume(each: Pending): void {
    each.cancelPause?.()
    each.cancelPause = undefined
    ready.add(each)
    startAll()
  }

  /** Delivers some events of an auction. Returns the pause before the others, undefined if none are left. */
  async function deliverPage(each: Pending): Promise<number | undefined> {
    const { auctionId } = each
    const hasWaited = clock.nowMs() - each.sinceMs >= waitMs
    each.position ??= await keeper.read({ auctionId, name }, hasWaited ? Number.POSITIVE_INFINITY : each.least)
    const from = each.position
    const page = await readEvents(auctionId, from)
    if (page === undefined) return undefined
    for (const event of page.items) {
      if (isClosed) return 0
      const pauseMs = isWanted(event) ? await deliver(each, event) : undefined
      if (pauseMs !== undefined) return pauseMs
      advance(each, event.sequence)
    }
    if (each.position !== page.position) advance(each, page.position)
    each.sinceMs = clock.nowMs()
    if (page.isAtHead && each.last <= page.position) {
      finish(each)
      return undefined
    }
    // If a read does not show a stored entry, as the store must, it is not repeated at once.
    return page.position > from ? 0 : unavailableMs
  }

  const isWanted = ({ type }: SubscribedEvent): boolean => types === undefined || types.includes(type)

  function advance(each: Pending, sequence: number): void {
    each.position = sequence
    each.attempts = 0
    keeper.note({ auctionId: each.auctionId, name, sequence })
  }

  /** Makes one attempt. Returns the pause before the next one, undefined if none follows. */
  async function deliver(each: Pending, event: SubscribedEvent): Promise<number | undefined> {
    const { auctionId, sequence, atMs } = event
    each.sinceMs = atMs
    each.attempts += 1
    const reported = { name, auctionId, sequence, attempt: each.attempts }
    const delivery = await attempt(event, each.attempts)
    const ageMs = Math.max(clock.nowMs() - atMs, 0)
    if (delivery.ok) {
      observer?.onDelivered({ ...reported, delayMs: ageMs })
      outages.noteSuccess()
      return undefined
    }
    observer?.onDeliveryFailed({ ...reported, reason: delivery.reason })
    // Others may deliver it before the next attempt, so the checkpoint is read again.
    each.position = undefined
    each.least = Number.POSITIVE_INFINITY
    if (isClosed) return 0
    outages.noteFailure(auctionId, delivery)
    if (outages.isOut()) {
      // Attempts of an outage do not count: an event is given up only while others are delivered.
      each.attempts = 0
      return 0
    }
    if (!isLastAttempt(each.attempts, ageMs)) return pauses.afterAttempt(each.attempts, delivery)
    observer?.onDeliveryGivenUp({ ...reported, reason: delivery.reason })
    return undefined
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
    status() {
      const nowMs = clock.nowMs()
      let oldestMs = nowMs
      for (const { sinceMs } of pending.values()) oldestMs = Math.min(oldestMs, sinceMs)
      return { pending: pending.size, oldestPendingMs: nowMs - oldestMs }
    },
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
