import { createDelivery, type DeliveryParts, type Subscriber } from '@auction/delivery'
import type { Hooks } from '../../src/hooks.ts'

/** What a planted bug replaces in deliveries. */
export type PlantedDelivery = {
  /** What deliveries are given instead. */
  readonly given?: (right: DeliveryParts) => Partial<DeliveryParts>
  readonly deliver?: (right: Subscriber['deliver'], parts: DeliveryParts) => Subscriber['deliver']
  /** Hooks of the service that replace those of deliveries. */
  readonly hooks?: Hooks
}

/** Begins the deliveries of a process to its subscriber, before its service creates anything. */
export function deliverTo(subscriber: Subscriber, right: DeliveryParts, planted: PlantedDelivery = {}) {
  const { hooks, subscribe, close } = createDelivery({ ...right, ...planted.given?.(right) })
  const deliver = planted.deliver?.(subscriber.deliver, right) ?? subscriber.deliver
  subscribe({ ...subscriber, deliver })
  return { close, hooks: { ...hooks, ...planted.hooks } }
}
