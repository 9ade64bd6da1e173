import type { Clock } from '@auction/domain'
import type { Viewer } from '../callers/caller.ts'
import type { ServedService } from '../served-service.ts'

/** What the feeds of single auctions, of lists and of sales need. */
export type FeedParts = {
  readonly service: Pick<
    ServedService,
    'readAuction' | 'listAuctions' | 'listEvents' | 'watchAuction' | 'listLotIds' | 'watchSale'
  >
  readonly clock: Clock
  readonly publicViewer: Viewer
  /**
   * Called for each event that is read for the first time while it is new, with the delay in milliseconds since its
   * record.
   */
  readonly onEvent?: ((delayMs: number) => void) | undefined
}
