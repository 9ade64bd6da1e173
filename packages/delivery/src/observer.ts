import { notifySafely, type SafeObserver } from '@auction/domain/extension'
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

/** Receives internal events of deliveries, for metrics and logs. It is called as the `Observer` of the service is. */
export type DeliveryObserver = {
  readonly onDelivered?: (delivered: Delivered) => void
  readonly onDeliveryFailed?: (failed: DeliveryFailed) => void
  /** The last attempt for an event failed. The events after it follow. */
  readonly onDeliveryGivenUp?: (failed: DeliveryFailed) => void
  readonly onOutage?: (outage: Outage) => void
}

/** An observer with all methods, none of which throws. The observer of the service receives what is unreadable. */
export type SafeDeliveryObserver = Required<DeliveryObserver> & Pick<SafeObserver, 'onUnreadable'>

/** Catches the errors of an observer, so that it cannot affect deliveries. */
export const createSafeDeliveryObserver = (
  ofService: SafeObserver | undefined,
  observer: DeliveryObserver = {},
): SafeDeliveryObserver => ({
  onUnreadable: notifySafely(ofService?.onUnreadable),
  onDelivered: notifySafely(observer.onDelivered),
  onDeliveryFailed: notifySafely(observer.onDeliveryFailed),
  onDeliveryGivenUp: notifySafely(observer.onDeliveryGivenUp),
  onOutage: notifySafely(observer.onOutage),
})
