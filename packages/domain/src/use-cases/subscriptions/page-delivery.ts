import type { Clock } from '../../clock.ts'
import type { SafeObserver } from '../../observer.ts'
import { unreadableCauseOf } from '../../store/errors.ts'
import type { AuctionId } from '../../values/ids.ts'
import { createAttempts, type createPauses, isLastAttempt } from './attempts.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import type { Outages } from './outages.ts'
import type { ReadEvents } from './read-events.ts'
import type { SubscribedEvent, Subscriber } from './subscriber.ts'

/** How far the events of an auction are delivered. */
export type DeliveryState = {
  readonly auctionId: AuctionId
  /** The sequence of the last delivered event; undefined until it is read. */
  position: number | undefined
  /** If the checkpoint of this process is before it, the checkpoint is read. */
  least: number
  /** The sequence of the last event that is known to be stored. */
  last: number
  /** The failed attempts for the next event. */
  attempts: number
  /** When the next event was recorded or noticed. */
  sinceMs: number
}

export type PageDeliveryParts = {
  readonly clock: Clock
  readonly keeper: CheckpointKeeper
  readonly readEvents: ReadEvents
  readonly observer?: SafeObserver | undefined
  readonly outages: Outages
  readonly pauses: ReturnType<typeof createPauses>
  readonly isClosed: () => boolean
  /** Called when no event is left, in the same step as that check: an event that is noticed later begins a new delivery. */
  readonly finish: (each: DeliveryState) => void
}

/** After this time in the queue, others may have delivered events. */
const waitMs = 500
/** The pause after a failed read. */
const unavailableMs = 5_000

/**
 * Returns a function that delivers some events of an auction. It returns the pause before the others, undefined if none are left. It does
 * not reject.
 */
export function createPageDelivery(
  subscriber: Subscriber,
  { clock, keeper, readEvents, observer, outages, pauses, isClosed, finish }: PageDeliveryParts,
): (each: DeliveryState) => Promise<number | undefined> {
  const { name, types } = subscriber
  const attempt = createAttempts(subscriber, clock)

  const isWanted = ({ type }: SubscribedEvent): boolean => types === undefined || types.includes(type)

  function advance(each: DeliveryState, sequence: number): void {
    each.position = sequence
    each.attempts = 0
    keeper.note({ auctionId: each.auctionId, name, sequence })
  }

  /** Makes one attempt. Returns the pause before the next one, undefined if none follows. */
  async function deliver(each: DeliveryState, event: SubscribedEvent): Promise<number | undefined> {
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
    if (isClosed()) return 0
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

  async function deliverPage(each: DeliveryState): Promise<number | undefined> {
    const { auctionId } = each
    const hasWaited = clock.nowMs() - each.sinceMs >= waitMs
    each.position ??= await keeper.read({ auctionId, name }, hasWaited ? Number.POSITIVE_INFINITY : each.least)
    const from = each.position
    const page = await readEvents(auctionId, from)
    if (page === undefined) return undefined
    for (const event of page.items) {
      if (isClosed()) return 0
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

  /** The walk returns to an unreadable auction. */
  function pauseAfter(error: unknown): number | undefined {
    const unreadable = unreadableCauseOf(error)
    if (unreadable !== undefined) observer?.onUnreadable(unreadable)
    return unreadable === undefined ? unavailableMs : undefined
  }

  return (each) => deliverPage(each).catch(pauseAfter)
}
