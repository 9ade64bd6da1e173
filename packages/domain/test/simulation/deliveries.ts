import { createDelivery, type DeliveryParts, type Subscriber } from '@auction/delivery'
import type { Extended, Hooks } from '../../src/hooks.ts'
import type { Store } from '../../src/store/store.ts'

/** The parts of deliveries, and the store without the guard of the service. */
export type DeliveringParts = Pick<DeliveryParts, 'service' | 'checkpoints'> & { readonly store: Store }

/** What a planted bug replaces in deliveries. */
export type PlantedDelivery = {
  readonly checkpoints?: (right: DeliveringParts) => Partial<DeliveryParts['checkpoints']>
  readonly deliver?: (right: Subscriber['deliver']) => Subscriber['deliver']
  /** The hooks that replace those of deliveries. */
  readonly hooks?: Hooks
  /** What the service shares instead. */
  readonly shared?: (right: Extended) => Partial<Extended>
}

/** Begins the deliveries of a process to its subscriber. Returns the function that ends them. */
export function deliverTo(subscriber: Subscriber, right: DeliveringParts, planted: PlantedDelivery = {}) {
  const { service, checkpoints } = right
  const { subscribe, close } = createDelivery({
    service: {
      extend(hooks) {
        const shared = service.extend({ ...hooks, ...planted.hooks })
        return { ...shared, ...planted.shared?.(shared) }
      },
    },
    checkpoints: { ...checkpoints, ...planted.checkpoints?.(right) },
  })
  subscribe({ ...subscriber, deliver: planted.deliver?.(subscriber.deliver) ?? subscriber.deliver })
  return close
}
