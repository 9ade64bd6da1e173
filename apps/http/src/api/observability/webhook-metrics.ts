import type { DeliveryObserver, SubscriptionStatus } from '@auction/delivery'
import type { MetricFactory } from '@auction/host/metrics'
import { Gauge } from 'prom-client'

/** The buckets cover an event that is delivered at once and one at its last attempt. */
const delayBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60, 600, 3_600, 21_600, 86_400, 259_200]

/** The metrics of the endpoints of webhooks. Their series begin when the endpoints are known. */
export function createWebhookMetrics({ counter, histogram, registers }: MetricFactory) {
  const attempts = counter(
    'auction_webhook_attempts_total',
    'Attempts to deliver an event to an endpoint, by outcome: delivered, failed.',
    { webhook: [], outcome: [] },
  )
  const givenUp = counter('auction_webhook_given_up_total', 'Events that were given up after their last attempt.', {
    webhook: [],
  })
  const delays = histogram(
    'auction_webhook_delay_seconds',
    'Time from the record of an event to its delivery.',
    delayBuckets,
    { webhook: [] },
  )
  const endpoints = new Map<string, () => SubscriptionStatus>()
  const show = (name: string, help: string, read: (status: SubscriptionStatus) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['webhook'],
      registers,
      collect() {
        for (const [webhook, status] of endpoints) this.set({ webhook }, read(status()))
      },
    })
  show('auction_webhook_pending', 'Auctions with events to deliver that this process knows.', ({ pending }) => pending)
  show(
    'auction_webhook_oldest_pending_seconds',
    'The age of the oldest of these events.',
    ({ oldestPendingMs }) => oldestPendingMs / 1000,
  )
  const observer: DeliveryObserver = {
    onDelivered({ name, delayMs }) {
      attempts.inc({ webhook: name, outcome: 'delivered' })
      delays.observe({ webhook: name }, delayMs / 1000)
    },
    onDeliveryFailed: ({ name }) => attempts.inc({ webhook: name, outcome: 'failed' }),
    onDeliveryGivenUp: ({ name }) => givenUp.inc({ webhook: name }),
  }
  return {
    observer,
    onEndpoint(webhook: string, status: () => SubscriptionStatus): void {
      endpoints.set(webhook, status)
      for (const outcome of ['delivered', 'failed']) attempts.inc({ webhook, outcome }, 0)
      givenUp.inc({ webhook }, 0)
      delays.zero({ webhook })
    },
  }
}
