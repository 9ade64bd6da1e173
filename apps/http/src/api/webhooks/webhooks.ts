import {
  type Delivery,
  maxDeliveries,
  type SubscribedEvent,
  type Subscriber,
  type Subscription,
  type SubscriptionStatus,
} from '@auction/delivery'
import type { Clock } from '@auction/domain'
import { createTurns } from '@auction/host/server'
import { createPoster, createSigner } from '@auction/host/signed-posts'
import type { FastifyInstance } from 'fastify'
import type { WebhookEndpoint } from '../../configuration/webhooks.ts'
import { readVersion } from '../../version.ts'
import { asPublic, type Viewer } from '../callers/caller.ts'
import { typeOfEvent, webhookMessage } from './messages.ts'

export type WebhookParts = {
  readonly endpoints: readonly WebhookEndpoint[]
  /** A promise until the store is open. */
  readonly delivery: Delivery | undefined | Promise<Delivery | undefined>
  readonly clock: Clock
  readonly publicViewer: Viewer
  /** Called with the name of each endpoint, and a function that returns its queue. */
  readonly onEndpoint?: ((name: string, status: () => SubscriptionStatus) => void) | undefined
}

/** The number of deliveries to all endpoints that start in one turn of the event loop. More would hold up requests. */
const deliveriesPerTurn = 8
/** The endpoints share their turns, as they share the event loop. */
const takeTurn = createTurns(deliveriesPerTurn)

/** An endpoint is the operator's, so it receives ids by default, but nothing else that readers do not see. */
const viewerWithIds = asPublic({ pseudonymOf: undefined })

/** Creates the subscriber that posts events to an endpoint. `close` ends its deliveries. */
export function createWebhookSubscriber(
  { name, url, secrets, types, hasPseudonyms }: WebhookEndpoint,
  { clock, publicViewer }: Pick<WebhookParts, 'clock' | 'publicViewer'>,
): Subscriber & { close(): void } {
  // The endpoint receives the events of this many auctions at once, each over its own connection.
  const { post, close } = createPoster(url, maxDeliveries)
  const sign = createSigner(secrets)
  const viewer = hasPseudonyms ? publicViewer : viewerWithIds
  const userAgent = `auction-service/${readVersion()}`
  return {
    name,
    types: eventTypes.filter((type) => types.includes(typeOfEvent[type])),
    async deliver(event) {
      await takeTurn()
      const message = webhookMessage(event, viewer)
      return post(message.body, { ...sign(message, clock.nowMs()), 'user-agent': userAgent })
    },
    close,
  }
}

// The cast: they are the keys.
const eventTypes = Object.keys(typeOfEvent) as SubscribedEvent['type'][]

/** Posts the events of all auctions to the endpoints, from when the service is open until the server has closed. */
export function addWebhooks(app: FastifyInstance, { endpoints, delivery, onEndpoint, ...parts }: WebhookParts) {
  const subscribers = endpoints.map((endpoint) => createWebhookSubscriber(endpoint, parts))
  let subscriptions: readonly Subscription[] = []
  let closing: Promise<unknown> | undefined

  async function subscribeAll(): Promise<void> {
    const opened = await delivery
    if (opened === undefined) return
    subscriptions = subscribers.map((subscriber) => {
      const subscription = opened.subscribe(subscriber)
      onEndpoint?.(subscriber.name, subscription.status)
      return subscription
    })
  }

  /** Begins no more deliveries. Resolves when those in flight have ended. */
  const closeSubscriptions = () => {
    closing ??= Promise.all(subscriptions.map(({ close }) => close()))
    return closing
  }
  const closeConnections = () => {
    for (const { close } of subscribers) close()
  }
  app.addHook('onReady', async () => void subscribeAll())
  app.addHook('onClose', async () => {
    await closeSubscriptions()
    closeConnections()
  })
  return {
    /** Ends the deliveries in flight, which then count as failed, so that a shutdown does not wait for them. */
    abandonDeliveries(): void {
      // The subscriptions close first, so that the failures have no consequences.
      void closeSubscriptions()
      closeConnections()
    },
  }
}
