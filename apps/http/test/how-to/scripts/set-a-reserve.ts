import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

await service.createAuction(sampleNewAuction({ reservePrice: 150, endTime: '2030-01-31T13:00:00Z' }))
await service.placeBid(sampleNewBid({ amount: 120 }))
console.log(unwrap(await service.readAuction(toAuctionId(1))).isReserveMet)

clock.set('2030-01-31T13:00:02Z')
await service.closeDue()
console.log(unwrap(await service.readAuction(toAuctionId(1))).result)

// Prints:
// false
// { outcome: 'unsold', reason: 'reserve-not-met' }
