import type { DeliveryObserver, SubscriptionStatus } from '@auction/delivery'
import type { Observer } from '@auction/domain'
import type { ServerObserver } from '@auction/host/server'
import type { ClosingRun } from '../closing.ts'

/** Receives what happens in the server, beyond requests and connections. */
export type HttpObserver = ServerObserver & {
  /** Called for each new event of a followed auction, with the milliseconds since it was recorded. */
  readonly onEvent?: (delayMs: number) => void
  readonly onClosingRun?: (run: ClosingRun) => void
  /** Called for each endpoint of webhooks, with a function that returns its queue. */
  readonly onEndpoint?: (name: string, status: () => SubscriptionStatus) => void
}

/** Metrics or traces. */
export type Instrument = {
  readonly observer?: Observer & DeliveryObserver
  readonly httpObserver: HttpObserver
  /** Stops the endpoint and sends pending data, within a time limit. */
  readonly close: () => Promise<void>
}
