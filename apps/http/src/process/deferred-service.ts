import type { AuctionService } from '@auction/domain'
import type { ServedService } from '../api/operations/operation.ts'

export type DeferredService = {
  /** Each of its operations waits for the service that `open` is given. */
  readonly service: ServedService
  open(service: AuctionService): void
}

/** A service for a server that is built before the store is open. */
export function deferService(): DeferredService {
  const { promise: opened, resolve } = Promise.withResolvers<AuctionService>()
  return {
    service: {
      createAuction: async (...given) => (await opened).createAuction(...given),
      placeBid: async (...given) => (await opened).placeBid(...given),
      buyNow: async (...given) => (await opened).buyNow(...given),
      cancelAuction: async (...given) => (await opened).cancelAuction(...given),
      readAuction: async (...given) => (await opened).readAuction(...given),
      readBid: async (...given) => (await opened).readBid(...given),
      listAuctions: async (...given) => (await opened).listAuctions(...given),
      listBids: async (...given) => (await opened).listBids(...given),
      closeDue: async (...given) => (await opened).closeDue(...given),
    },
    open: resolve,
  }
}
