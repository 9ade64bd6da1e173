import type { AuctionId } from '@auction/domain/ids'
import type { Attempt, Failure } from './attempts.ts'
import { type Cursor, type CursorParts, createCursor, type EventRange } from './cursor.ts'
import type { SafeDeliveryObserver } from './observer.ts'
import type { SubscribedEvent } from './subscriber.ts'

/** The deliveries of the events of an auction to one subscriber, and how often the next one was attempted. */
export type AuctionDelivery = Pick<Cursor, 'add' | 'next'> & {
  /** Attempts to deliver the next event once, and passes it if that succeeds. */
  attempt(event: SubscribedEvent): Promise<{ readonly ok: true } | FailedAttempt>
  /** Passes an event whose last attempt failed. */
  giveUp(event: SubscribedEvent, last: FailedAttempt): void
  /** Counts the next attempt as the first one. */
  forgetAttempts(): void
  /** When the next event was recorded or noticed. */
  readonly sinceMs: () => number
}

export type FailedAttempt = {
  readonly ok: false
  readonly failure: Failure
  /** The attempts for the event, including this one. */
  readonly attempts: number
  /** The time since the event was recorded. */
  readonly ageMs: number
}

export type AuctionDeliveryParts = CursorParts & {
  readonly attempt: Attempt
  readonly observer: SafeDeliveryObserver | undefined
}

export function createAuctionDelivery(
  auctionId: AuctionId,
  range: EventRange,
  parts: AuctionDeliveryParts,
): AuctionDelivery {
  const { name, clock, attempt, observer } = parts
  const cursor = createCursor(auctionId, range, parts)
  let sinceMs = clock.nowMs()
  let attempts = 0

  function pass(event: SubscribedEvent): void {
    cursor.pass(event)
    attempts = 0
    sinceMs = clock.nowMs()
  }

  return {
    add: cursor.add,
    next: cursor.next,
    async attempt(event) {
      const { sequence, atMs } = event
      sinceMs = atMs
      attempts += 1
      const reported = { name, auctionId, sequence, attempt: attempts }
      const result = await attempt(event, attempts)
      const ageMs = Math.max(clock.nowMs() - atMs, 0)
      if (result.ok) {
        observer?.onDelivered({ ...reported, delayMs: ageMs })
        pass(event)
        return { ok: true }
      }
      observer?.onDeliveryFailed({ ...reported, reason: result.reason })
      cursor.forget()
      return { ok: false, failure: result, attempts, ageMs }
    },
    giveUp(event, { failure, attempts: attempt }) {
      observer?.onDeliveryGivenUp({ name, auctionId, sequence: event.sequence, attempt, reason: failure.reason })
      pass(event)
    },
    forgetAttempts() {
      attempts = 0
    },
    sinceMs: () => sinceMs,
  }
}
