import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })
const { id } = unwrap(await service.createAuction(sampleNewAuction({ endTime: '2030-01-31T13:00:00Z' })))
clock.set('2030-01-31T13:00:00Z')
console.log(unwrap(await service.readAuction(id)).status)
