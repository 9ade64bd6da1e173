import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createDelivery } from '@auction/delivery'
import { createAuctionService } from '@auction/domain'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const store = createMemoryStore()
const service = createAuctionService({ store, clock })
const delivery = createDelivery({ service, checkpoints: store.checkpoints })
const { promise: hasBid, resolve: onBid } = Promise.withResolvers<void>()

/** Used here instead of a search index or an email queue. */
const index = new Map<string, string>()

delivery.subscribe({
  name: 'search-index',
  types: ['created', 'bids'],
  async deliver(event) {
    index.set(`${event.auctionId}-${event.sequence}`, event.type)
    if (event.type === 'bids') onBid()
    return { ok: true }
  },
})
await service.createAuction(sampleNewAuction())
await service.placeBid(sampleNewBid())
await hasBid
await delivery.close()
await service.close()
console.log(index)
