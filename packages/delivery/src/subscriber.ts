import type { PublicEvent } from '@auction/domain'
import type { PublicAuction } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import type { CallSignal } from '@auction/domain/store'

/** Receives the events of all auctions at least once, and those of an auction in order, across restarts and on any number of servers. */
export type Subscriber = {
  /**
   * Identifies its checkpoints in the store: 1 to 32 of the characters `a` to `z`, `0` to `9` and `-`. Use the same name at every start
   * and on every server.
   */
  readonly name: string
  /**
   * Receives one event. Unless it resolves with `ok`, another attempt follows. Each event of an auction waits for the one before it;
   * events of up to `maxDeliveries` auctions are delivered concurrently. The attempt fails if it takes longer than 20 seconds.
   */
  readonly deliver: (event: SubscribedEvent, attempt: DeliveryAttempt) => Promise<DeliveryResult>
  /** The types of the events to deliver. Default: all. */
  readonly types?: readonly SubscribedEvent['type'][]
}

export type DeliveryAttempt = {
  /** The number of the attempt for this event by this process, from 1. */
  readonly attempt: number
  /** Aborted when the time of the attempt is over. */
  readonly signal: CallSignal
}

/** The result of an attempt. A rejection is a failure too. */
export type DeliveryResult =
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
  /** The auction with the corrections until now: an earlier title or other metadata may have been removed. */
  readonly auction: PublicAuction
}

/** The maximum number of concurrent deliveries to a subscriber. */
export const maxDeliveries = 32

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
