import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { desk, offer } from './values.ts'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })
const { promise: hasBid, resolve: onBid } = Promise.withResolvers<void>()

/** Used here instead of a search index or an email queue. */
const index = new Map<string, string>()

service.subscribe({
  name: 'search-index',
  types: ['created', 'bids'],
  async deliver(event) {
    index.set(`${event.auctionId}-${event.sequence}`, event.type)
    if (event.type === 'bids') onBid()
    return { ok: true }
  },
})
await service.createAuction(desk)
await service.placeBid(offer)
await hasBid
await service.close()
console.log(index)
