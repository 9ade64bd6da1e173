import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleCancellation, sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

await service.createAuction(sampleNewAuction())
const cancelled = await service.cancelAuction({
  auctionId: toAuctionId(1),
  cancellation: sampleCancellation('The desk is broken.'),
})
console.log(unwrap(cancelled).status, unwrap(cancelled).result)

await service.createAuction(sampleNewAuction())
await service.placeBid(sampleNewBid({ auctionId: 2 }))
const late = await service.cancelAuction({ auctionId: toAuctionId(2) })
console.log(late.ok ? 'cancelled' : late.refusal.code)

// Prints:
// Cancelled { outcome: 'cancelled', reason: 'The desk is broken.' }
// auction-has-bids
