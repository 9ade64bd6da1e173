import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

await service.createAuction(sampleNewAuction())
await service.placeBid(sampleNewBid({ bidderId: 2, amount: 100, maximumAmount: 200 }))
const placed = unwrap(await service.placeBid(sampleNewBid({ bidderId: 3, amount: 120, maximumAmount: 150 })))
console.log(`bid ${placed.id}, outbid at ${placed.outbidAtMinor}`)

const { items } = unwrap(await service.listBids(toAuctionId(1), { limit: 10 }))
for (const { id, bidderId, amountMinor, automatic } of items) console.log(id, bidderId, amountMinor, automatic ?? false)

// Prints:
// bid 2, outbid at 15500
// 3 2 15500 true
// 2 3 12000 false
// 1 2 10000 false
