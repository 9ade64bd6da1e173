import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService, type Observer } from '@auction/domain'
import { desk, offer } from './values.ts'

const observer: Observer = {
  onAppend({ entries }) {
    return ({ outcome }) => console.log(`append of ${entries.length} to auction ${entries[0]?.auctionId}: ${outcome}`)
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
