import type { Observer } from '@auction/domain/observer'
import type { AuctionService } from '@auction/domain/service'
import type { ServerWatch } from '../server/watch.ts'

/** One way to look at the service from inside. */
export type Instrument = {
  readonly observer: Observer
  readonly watch: ServerWatch
  /** The service as the server is to call it. */
  readonly observe: (service: AuctionService) => AuctionService
  /** Lets others read what was seen, and returns where. @throws Error of Node's, such as EADDRINUSE */
  readonly listen: () => Promise<string | undefined>
  /** Lets nobody read any more, and sends what is still to be sent, but not for long. */
  readonly close: () => Promise<void>
}
