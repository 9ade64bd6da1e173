import type { Clock } from '@auction/domain'
import { unreadableCauseOf } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import { type Attempt, createAttempts, createPauses, type Failure, isLastAttempt, type Pauses } from './attempts.ts'
import { type Cursor, type CursorParts, createCursor, type EventRange } from './cursor.ts'
import type { SafeDeliveryObserver } from './observer.ts'
import { createOutages, type Outages } from './outages.ts'
import { createScheduler } from './scheduler.ts'
import { maxDeliveries, type SubscribedEvent, type Subscriber, type SubscriptionStatus } from './subscriber.ts'

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

export type DeliveryQueueParts = Pick<CursorParts, 'keeper' | 'readEvents'> & {
  readonly clock: Clock
  readonly observer: SafeDeliveryObserver
}

/** An auction with events to deliver. */
type Pending = {
  readonly auctionId: AuctionId
  readonly cursor: Cursor
  /** The attempts for its next event. */
  attempts: number
  /** When its next event was recorded or noticed. */
  sinceMs: number
}

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
  const attempt = createAttempts(deliver, clock)
  const turn: Turn = { name, clock, observer, attempt, outages, pauses, isClosed: () => isClosed }
  const isWanted = ({ type }: SubscribedEvent) => types === undefined || types.includes(type)
  const cursorParts: CursorParts = { ...parts, name, isOut: outages.isOut, isWanted }
  const scheduler = createScheduler<Pending>({
    clock,
    maxRunning: maxDeliveries,
    mayStart: ({ auctionId }) => outages.mayStart(auctionId),
    async run(auction) {
      const pauseMs = await deliverPage(auction, turn).catch(pauseAfterError)
      outages.release(auction.auctionId)
      if (pauseMs === undefined && pending.get(auction.auctionId) === auction) pending.delete(auction.auctionId)
      return pauseMs
    },
  })

  /** The walk returns to an unreadable auction. */
  function pauseAfterError(error: unknown): number | undefined {
    const unreadable = unreadableCauseOf(error)
    if (unreadable === undefined) return unavailableMs
    observer.onUnreadable(unreadable)
    return undefined
  }

  return {
    add(auctionId, range) {
      if (isClosed || pending.get(auctionId)?.cursor.add(range) === true) return false
      const isNew = range.first !== undefined && !outages.isOut()
      if (pending.size >= (isNew ? maxPendingOfNew : maxPending)) {
        isLeftOut = true
        return false
      }
      const cursor = createCursor(auctionId, range, cursorParts)
      const auction = { auctionId, cursor, attempts: 0, sinceMs: clock.nowMs() }
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
    status() {
      const nowMs = clock.nowMs()
      let oldestMs = nowMs
      for (const { sinceMs } of pending.values()) oldestMs = Math.min(oldestMs, sinceMs)
      return { pending: pending.size, oldestPendingMs: nowMs - oldestMs }
    },
    async close() {
      isClosed = true
      outages.close()
      await scheduler.close()
      pending.clear()
    },
  }
}

/** What a turn of an auction needs. */
type Turn = {
  readonly name: string
  readonly clock: Clock
  readonly observer: SafeDeliveryObserver
  readonly attempt: Attempt
  readonly outages: Outages
  readonly pauses: Pauses
  readonly isClosed: () => boolean
}

/**
 * Delivers events of an auction, one page at most, so that the others have their turns. Returns the pause before the next turn;
 * undefined if no event is left.
 */
async function deliverPage(auction: Pending, turn: Turn): Promise<number | undefined> {
  const { auctionId, cursor } = auction
  const { name, clock, observer, attempt, outages, isClosed } = turn
  for (;;) {
    const next = await cursor.next()
    if (next.type === 'finished') return undefined
    if (next.type === 'pause') return next.pauseMs
    if (isClosed()) return 0
    const { event } = next
    auction.sinceMs = event.atMs
    auction.attempts += 1
    const reported = { name, auctionId, sequence: event.sequence, attempt: auction.attempts }
    const result = await attempt(event, auction.attempts)
    const ageMs = Math.max(clock.nowMs() - event.atMs, 0)
    if (result.ok) observer.onDelivered({ ...reported, delayMs: ageMs })
    else {
      const failed = { ...reported, reason: result.reason }
      observer.onDeliveryFailed(failed)
      cursor.forget()
      const pauseMs = pauseAfterFailure(auction, result, ageMs, turn)
      if (pauseMs !== undefined) return pauseMs
      observer.onDeliveryGivenUp(failed)
    }
    cursor.pass(event)
    auction.attempts = 0
    auction.sinceMs = clock.nowMs()
    if (result.ok) outages.noteSuccess()
  }
}

/** Returns the pause before the next attempt; undefined if the event is given up. */
function pauseAfterFailure(
  auction: Pending,
  failure: Failure,
  ageMs: number,
  { outages, pauses, isClosed }: Turn,
): number | undefined {
  if (isClosed()) return 0
  outages.noteFailure(auction.auctionId, failure)
  if (outages.isOut()) {
    // Attempts of an outage do not count: an event is given up only while others are delivered.
    auction.attempts = 0
    return 0
  }
  return isLastAttempt(auction.attempts, ageMs) ? undefined : pauses.afterAttempt(auction.attempts, failure)
}
