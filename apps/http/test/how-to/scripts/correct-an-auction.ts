import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleCorrection, sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })
await service.createAuction(sampleNewAuction({ title: 'Walnut desc' }))

const correct = (title: string) =>
  service.correctAuction({
    auctionId: toAuctionId(1),
    correction: sampleCorrection({ title }),
    editor: 'moderator 7',
    isExpected: ({ auction }) => auction.title === 'Walnut desc',
  })
const corrected = await correct('Walnut desk')
console.log(unwrap(corrected).auction.title)
const again = await correct('Oak desk')
console.log(again.ok ? 'corrected' : again.refusal.code)

await service.placeBid(sampleNewBid())
const late = await correct('Pine desk')
console.log(late.ok ? 'corrected' : late.refusal.code)

// Prints:
// Walnut desk
// precondition-failed
// auction-has-bids
