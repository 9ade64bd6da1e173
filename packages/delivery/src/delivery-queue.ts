import type { Clock } from '@auction/domain'
import { unreadableCauseOf } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import { createAttempts, createPauses, isLastAttempt, type Pauses } from './attempts.ts'
import {
  type AuctionDelivery,
  type AuctionDeliveryParts,
  createAuctionDelivery,
  type FailedAttempt,
} from './auction-delivery.ts'
import type { EventRange } from './cursor.ts'
import { createOutages, type Outages } from './outages.ts'
import { createScheduler } from './scheduler.ts'
import { maxDeliveries, type Subscriber, type SubscriptionStatus } from './subscriber.ts'

/** The deliveries to one subscriber: which auctions have events, and what follows after each attempt. */
export type DeliveryQueue = {
  /** Delivers stored events of an auction. False if the auction is not queued now: it is known, or too many are. */
  add(auctionId: AuctionId, range: EventRange): boolean
  /** Whether auctions wait for free deliveries, so that no more need to be found. */
  readonly hasBacklog: () => boolean
  /** Whether auctions were left out since the last call, and may be added now. */
  readonly takeLeftOut: () => boolean
  readonly status: () => SubscriptionStatus
  /** Begins nothing more. Resolves when the deliveries in progress have ended. */
  close(): Promise<void>
}

export type DeliveryQueueParts = Pick<AuctionDeliveryParts, 'keeper' | 'readEvents' | 'observer'> & {
  readonly clock: Clock
}

/** An auction with events to deliver. */
type Pending = { readonly auctionId: AuctionId; readonly delivery: AuctionDelivery }

/** The maximum number of auctions in the queue. Others are found by the walk. */
export const maxPending = 5_000
/**
 * The maximum outside of an outage, for events that this process has just stored: so they do not wait for the whole backlog of
 * others. Each auction has its turn after one page of each of these.
 */
export const maxPendingOfNew = 2 * maxPending
/** The pause after a failed read. */
const unavailableMs = 5_000

export function createDeliveryQueue(subscriber: Subscriber, parts: DeliveryQueueParts): DeliveryQueue {
  const { name, types, deliver } = subscriber
  const { clock, observer } = parts
  const pending = new Map<AuctionId, Pending>()
  const pauses = createPauses()
  const outages = createOutages({ name, clock, observer, pauses, onChange: () => scheduler.wakeAll() })
  let isLeftOut = false
  let isClosed = false
  const rules = { outages, pauses, isClosed: () => isClosed }
  const deliveryParts: AuctionDeliveryParts = {
    ...parts,
    name,
    isOut: outages.isOut,
    isWanted: ({ type }) => types === undefined || types.includes(type),
    attempt: createAttempts(deliver, clock),
  }
  const scheduler = createScheduler<Pending>({
    clock,
    maxRunning: maxDeliveries,
    mayStart: ({ auctionId }) => outages.mayStart(auctionId),
    async run(auction) {
      const pauseMs = await deliverPage(auction, rules).catch(pauseAfterError)
      outages.release(auction.auctionId)
      if (pauseMs === undefined && pending.get(auction.auctionId) === auction) pending.delete(auction.auctionId)
      return pauseMs
    },
  })

  /** The walk returns to an unreadable auction. */
  function pauseAfterError(error: unknown): number | undefined {
    const unreadable = unreadableCauseOf(error)
    if (unreadable === undefined) return unavailableMs
    observer?.onUnreadable(unreadable)
    return undefined
  }

  return {
    add(auctionId, range) {
      if (isClosed || pending.get(auctionId)?.delivery.add(range) === true) return false
      const isNew = range.first !== undefined && !outages.isOut()
      if (pending.size >= (isNew ? maxPendingOfNew : maxPending)) {
        isLeftOut = true
        return false
      }
      const auction = { auctionId, delivery: createAuctionDelivery(auctionId, range, deliveryParts) }
      pending.set(auctionId, auction)
      scheduler.add(auction)
      return true
    },
    hasBacklog: () => !outages.isOut() && scheduler.waiting() > maxPending / 2,
    takeLeftOut() {
      const isTaken = isLeftOut && !outages.isOut()
      if (isTaken) isLeftOut = false
      return isTaken
    },
    status: () => statusOf(pending, clock.nowMs()),
    async close() {
      isClosed = true
      outages.close()
      await scheduler.close()
      pending.clear()
    },
  }
}

type Rules = { readonly outages: Outages; readonly pauses: Pauses; readonly isClosed: () => boolean }

/**
 * Delivers events of an auction, one page at most, so that the others have their turns. Returns the pause before the next turn;
 * undefined if no event is left.
 */
async function deliverPage(auction: Pending, rules: Rules): Promise<number | undefined> {
  const { delivery } = auction
  for (;;) {
    const next = await delivery.next()
    if (next.type === 'finished') return undefined
    if (next.type === 'pause') return next.pauseMs
    if (rules.isClosed()) return 0
    const attempted = await delivery.attempt(next.event)
    if (attempted.ok) rules.outages.noteSuccess()
    else {
      const pauseMs = pauseAfterFailure(auction, attempted, rules)
      if (pauseMs !== undefined) return pauseMs
      delivery.giveUp(next.event, attempted)
    }
  }
}

/** Returns the pause before the next attempt; undefined if the event is given up. */
function pauseAfterFailure(
  { auctionId, delivery }: Pending,
  { failure, attempts, ageMs }: FailedAttempt,
  { outages, pauses, isClosed }: Rules,
): number | undefined {
  if (isClosed()) return 0
  outages.noteFailure(auctionId, failure)
  if (outages.isOut()) {
    // Attempts of an outage do not count: an event is given up only while others are delivered.
    delivery.forgetAttempts()
    return 0
  }
  return isLastAttempt(attempts, ageMs) ? undefined : pauses.afterAttempt(attempts, failure)
}

function statusOf(pending: ReadonlyMap<AuctionId, Pending>, nowMs: number): SubscriptionStatus {
  let oldestMs = nowMs
  for (const { delivery } of pending.values()) oldestMs = Math.min(oldestMs, delivery.sinceMs())
  return { pending: pending.size, oldestPendingMs: nowMs - oldestMs }
}
