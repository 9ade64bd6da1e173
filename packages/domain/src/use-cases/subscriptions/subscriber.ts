import type { ListedAuction } from '../../auction/auction.ts'
import type { CallSignal } from '../../store/store.ts'
import type { AuctionId } from '../../values/ids.ts'
import type { PublicEvent } from '../public-event.ts'

/** Receives the events of all auctions at least once, and those of an auction in order, across restarts and on any number of servers. */
export type Subscriber = {
  /**
   * Identifies its checkpoints in the store: 1 to 32 of the characters `a` to `z`, `0` to `9` and `-`. Use the same name at every start
   * and on every server.
   */
  readonly name: string
  /**
   * Receives one event. Unless it resolves with `ok`, another attempt follows. Each event of an auction waits for the one before it;
   * events of different auctions are delivered concurrently. The attempt fails if it takes longer than `timeoutMs`.
   */
  readonly deliver: (event: SubscribedEvent, attempt: DeliveryAttempt) => Promise<Delivery>
  /** The types of the events to deliver. Default: all. */
  readonly types?: readonly SubscribedEvent['type'][]
  /** The maximum number of concurrent deliveries. Default: 32. */
  readonly maxDeliveries?: number
  /** The maximum time of an attempt, in milliseconds. Default: 20,000. */
  readonly timeoutMs?: number
}

export type DeliveryAttempt = {
  /** The number of the attempt for this event by this process, from 1. */
  readonly attempt: number
  /** Aborted when the time of the attempt is over. */
  readonly signal: CallSignal
}

/** The outcome of an attempt. A rejection is a failure too. */
export type Delivery =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** For the observer, such as `status 500`. */
      readonly reason?: string
      /** The minimum time until the next attempt, up to an hour. In an outage, only that of the last attempt counts. */
      readonly retryAfterMs?: number
    }

export type SubscribedEvent = CreatedEvent | PublicEvent

/** The auction was created. The first event of each auction. */
export type CreatedEvent = {
  readonly type: 'created'
  readonly auctionId: AuctionId
  /** Before the first entry. */
  readonly sequence: 0
  readonly atMs: number
  /** As created, but with the current title, because a correction may have removed the earlier one. */
  readonly auction: PublicAuction
}

/** An auction without its secret. */
export type PublicAuction = Omit<ListedAuction, 'reservePriceMinor'>

export type Subscription = {
  /** Returns the current queue without a store call. Call it at most once a second. */
  readonly status: () => SubscriptionStatus
  /** Starts no further delivery. Resolves when those in progress have ended and the checkpoints are saved, or after `limits.deadlineMs`. */
  close(): Promise<void>
}

export type SubscriptionStatus = {
  /** Auctions with events to deliver that this process knows. */
  readonly pending: number
  /** How long the first of them has waited, in milliseconds; 0 if none does. */
  readonly oldestPendingMs: number
}

/**
 * Subscribes to the events of all auctions: those that are open, from their creation, and those that end later. Auctions that ended
 * before the first service with this subscriber are left out.
 * Call it before `closeDue`, with the same subscribers on every server: otherwise the last events of an auction may be lost.
 * @throws TypeError if the store has no `checkpoints`
 * @throws InvalidValueError if the name is invalid or in use, or a limit is invalid
 */
export type Subscribe = (subscriber: Subscriber) => Subscription

/** Which events to deliver again: those of an auction, or those recorded in a time, with both ends. */
export type ReplayRange = { readonly auctionId: AuctionId } | { readonly sinceMs: number; readonly untilMs: number }

export type ReplayReport = {
  /** Delivered events. */
  readonly delivered: number
  /** Auctions whose remaining events were left out, because each of several attempts for one failed or the auction is unreadable. */
  readonly failed: number
}

/** Delivers events again, each auction's in order. It neither reads nor changes checkpoints. */
export type Replay = (
  subscriber: Omit<Subscriber, 'name'>,
  range: ReplayRange,
  options?: { readonly signal?: CallSignal },
) => Promise<ReplayReport>
