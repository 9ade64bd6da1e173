import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService, type Observer } from '@auction/domain'
import { desk, offer } from './values.ts'

const observer: Observer = {
  onAppend({ entries }) {
    const startMs = performance.now()
    return ({ outcome }) => {
      const isQuick = performance.now() - startMs < 10_000
      console.log(
        `${entries.length} of auction ${entries[0]?.auctionId}: ${outcome}, ${isQuick ? 'quickly' : 'slowly'}`,
      )
    }
  },
  onClosed: ({ auctionId, lateMs }) => console.log(`auction ${auctionId} is closed, ${lateMs} ms late`),
}

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock, observer })
await service.createAuction(desk)
await service.placeBid(offer)
console.log(service.backlog().commands, 'commands wait')
clock.set('2030-01-31T13:00:03Z')
await service.closeDue()
