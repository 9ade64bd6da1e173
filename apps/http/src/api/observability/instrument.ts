import type { AuctionService, Observer } from '@auction/domain'
import type { ServerWatch } from '../../host/server/watch.ts'
import type { ClosingRun } from '../closing.ts'

/** Receives events of requests, connections and closings. */
export type Watch = ServerWatch & { readonly onClosingRun?: (run: ClosingRun) => void }

/** A part of the observability, such as metrics. */
export type Instrument = {
  readonly observer: Observer
  readonly watch: Watch
  /** Wraps the service for the server. */
  readonly observe: (service: AuctionService) => AuctionService
  /** Starts the endpoint and returns its URL, if it has one. @throws Node's errors, such as EADDRINUSE */
  readonly listen: () => Promise<string | undefined>
  /** Stops the endpoint and sends pending data, within a time limit. */
  readonly close: () => Promise<void>
}
