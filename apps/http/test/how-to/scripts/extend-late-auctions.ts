import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

const softClose = { windowSeconds: 300, extensionSeconds: 300, latestEndTime: '2030-01-31T14:00:00Z' }
await service.createAuction(sampleNewAuction({ endTime: '2030-01-31T13:00:00Z', softClose }))

clock.set('2030-01-31T12:58:00Z')
await service.placeBid(sampleNewBid())
const { auction, effectiveEndTime } = unwrap(await service.readAuction(toAuctionId(1)))
console.log(auction.endTime.iso, effectiveEndTime.iso)

// Prints:
// 2030-01-31T13:00:00Z 2030-01-31T13:03:00.000Z
