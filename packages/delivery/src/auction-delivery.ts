import type { Clock } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import type { Attempt, Failure } from './attempts.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import type { SafeDeliveryObserver } from './observer.ts'
import type { EventReader, SubscribedPage } from './read-events.ts'
import type { SubscribedEvent } from './subscriber.ts'

/** The events of an auction for one subscriber. It alone reads and moves the checkpoint of both. */
export type AuctionDelivery = {
  /** Returns the next wanted event, the same one until it is passed, or the end of what was read. */
  next(): Promise<Next>
  /** Attempts to deliver the next event once, and passes it if that succeeds. */
  attempt(event: SubscribedEvent): Promise<{ readonly ok: true } | FailedAttempt>
  /** Passes an event whose last attempt failed. */
  giveUp(event: SubscribedEvent, last: FailedAttempt): void
  /** Counts the next attempt as the first one. */
  forgetAttempts(): void
  /** When the next event was recorded or noticed. */
  readonly sinceMs: () => number
}

type Next =
  | { readonly type: 'event'; readonly event: SubscribedEvent }
  /** The end of a page: more events may follow, unless `isAtHead`. */
  | { readonly type: 'page-end'; readonly position: number; readonly isAtHead: boolean; readonly hasAdvanced: boolean }
  /** The auction or the position does not exist. */
  | { readonly type: 'unknown' }

export type FailedAttempt = {
  readonly ok: false
  readonly failure: Failure
  /** The attempts for the event, including this one. */
  readonly attempts: number
  /** The time since the event was recorded. */
  readonly ageMs: number
}

export type AuctionDeliveryParts = {
  /** The name of the subscriber. */
  readonly name: string
  readonly isWanted: (event: SubscribedEvent) => boolean
  readonly attempt: Attempt
  readonly clock: Pick<Clock, 'nowMs'>
  readonly keeper: Pick<CheckpointKeeper, 'read' | 'note'>
  readonly readEvents: EventReader
  readonly observer: SafeDeliveryObserver | undefined
}

/** A page after a position, with the wanted events and the number of those that were passed. */
type Page = SubscribedPage & { readonly from: number; passed: number }

/** After this time in the queue, others may have delivered events. */
const waitMs = 500

/** @param least the checkpoint is read unless this process knows one that is not before this sequence */
export function createAuctionDelivery(
  auctionId: AuctionId,
  least: number,
  { name, isWanted, attempt, clock, keeper, readEvents, observer }: AuctionDeliveryParts,
): AuctionDelivery {
  const createdAtMs = clock.nowMs()
  let sinceMs = createdAtMs
  let known = least
  let position: number | undefined
  let page: Page | undefined
  let attempts = 0

  async function readPage(): Promise<Page | undefined> {
    const hasWaited = clock.nowMs() - createdAtMs >= waitMs
    position ??= await keeper.read({ auctionId, name }, hasWaited ? Number.POSITIVE_INFINITY : known)
    const from = position
    const read = await readEvents(auctionId, from)
    return read && { ...read, items: read.items.filter(isWanted), from, passed: 0 }
  }

  function moveTo(sequence: number): void {
    position = sequence
    attempts = 0
    keeper.note({ auctionId, name, sequence })
  }

  /** Others may deliver the event before its next attempt, so the checkpoint is read again. */
  function forgetPosition(): void {
    position = undefined
    page = undefined
    known = Number.POSITIVE_INFINITY
  }

  return {
    async next() {
      page ??= await readPage()
      if (page === undefined) return { type: 'unknown' }
      const { items, passed, from, position: end, isAtHead } = page
      const event = items[passed]
      if (event !== undefined) return { type: 'event', event }
      // The last entries of a page need not have events.
      if (position !== end) moveTo(end)
      page = undefined
      sinceMs = clock.nowMs()
      return { type: 'page-end', position: end, isAtHead, hasAdvanced: end > from }
    },
    async attempt(event) {
      const { sequence, atMs } = event
      sinceMs = atMs
      attempts += 1
      const reported = { name, auctionId, sequence, attempt: attempts }
      const result = await attempt(event, attempts)
      const ageMs = Math.max(clock.nowMs() - atMs, 0)
      if (result.ok) {
        observer?.onDelivered({ ...reported, delayMs: ageMs })
        if (page !== undefined) page.passed += 1
        moveTo(sequence)
        return { ok: true }
      }
      observer?.onDeliveryFailed({ ...reported, reason: result.reason })
      forgetPosition()
      return { ok: false, failure: result, attempts, ageMs }
    },
    giveUp({ sequence }, { failure, attempts: attempt }) {
      observer?.onDeliveryGivenUp({ name, auctionId, sequence, attempt, reason: failure.reason })
      moveTo(sequence)
    },
    forgetAttempts() {
      attempts = 0
    },
    sinceMs: () => sinceMs,
  }
}
