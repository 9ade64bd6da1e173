import type { Observer } from '@auction/domain'
import { createSafeObserver, notifySafely, type SafeObserver } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'

/** An event of an auction for a subscriber. */
type Attempted = {
  /** The name of the subscriber. */
  readonly name: string
  readonly auctionId: AuctionId
  readonly sequence: number
  /** The number of attempts for this event by this process, including this one. */
  readonly attempt: number
}

/** The subscriber received an event. */
export type Delivered = Attempted & {
  /** The time since the event was recorded, in milliseconds, by the clock of this process. */
  readonly delayMs: number
}

/** An attempt failed. */
export type DeliveryFailed = Attempted & {
  /** The reason of the subscriber, or the message of its error. */
  readonly reason: string | undefined
}

/** All deliveries to a subscriber fail: they pause, except for a single attempt from time to time. */
export type Outage = {
  /** The name of the subscriber. */
  readonly name: string
} & (
  | { readonly state: 'begins'; readonly reason: string | undefined }
  | { readonly state: 'ends'; readonly lastedMs: number }
)

type DeliveryEvents = {
  readonly onDelivered?: (delivered: Delivered) => void
  readonly onDeliveryFailed?: (failed: DeliveryFailed) => void
  /** The last attempt for an event failed. The events after it follow. */
  readonly onDeliveryGivenUp?: (failed: DeliveryFailed) => void
  readonly onOutage?: (outage: Outage) => void
}

/**
 * Receives internal events of deliveries, for metrics and logs. It is called as the `Observer` of the service is, of which it may have
 * `onStoreCall`, `onStoreRetry` and `onUnreadable`.
 */
export type DeliveryObserver = DeliveryEvents & Pick<Observer, 'onStoreCall' | 'onStoreRetry' | 'onUnreadable'>

/** An observer with all methods, none of which throws. */
export type SafeDeliveryObserver = Required<DeliveryEvents> & SafeObserver

/** Catches the errors of an observer, so that it cannot affect deliveries. */
export const createSafeDeliveryObserver = (observer: DeliveryObserver): SafeDeliveryObserver => ({
  ...createSafeObserver(observer),
  onDelivered: notifySafely(observer.onDelivered),
  onDeliveryFailed: notifySafely(observer.onDeliveryFailed),
  onDeliveryGivenUp: notifySafely(observer.onDeliveryGivenUp),
  onOutage: notifySafely(observer.onOutage),
})
