import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { incrementAt, nextAmountMinor } from '@auction/domain/auction'
import { toAmountMinor } from '@auction/domain/money'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

const incrementSteps = [
  { fromPrice: 100, increment: 10 },
  { fromPrice: 500, increment: 25 },
]
const auction = unwrap(
  await service.createAuction(sampleNewAuction({ startingPrice: 50, incrementSteps, maximumBidIncrement: 1000 })),
)
const ladder = unwrap(
  await service.createAuction(
    sampleNewAuction({ startingPrice: 300, bidSteps: [{ fromPrice: 300, amounts: [20, 50, 80, 100] }] }),
  ),
)
if (auction.format !== undefined || ladder.format !== undefined) throw new Error('these are English auctions')
console.log([99_99, 100_00, 500_00].map((priceMinor) => incrementAt(auction, toAmountMinor(priceMinor))))

await service.placeBid(sampleNewBid({ bidderId: 2, amount: 50, maximumAmount: 499 }))
await service.placeBid(sampleNewBid({ bidderId: 3, amount: 100, maximumAmount: 900 }))
const { minimumNextBidMinor, maximumNextBidMinor } = unwrap(await service.readAuction(auction.id))
console.log({ minimumNextBidMinor, maximumNextBidMinor })

const refused = await service.placeBid(sampleNewBid({ bidderId: 2, amount: 5340 }))
console.log(refused.ok ? refused.value : refused.refusal.code)

console.log([300_00, 330_00, 380_00].map((minor) => nextAmountMinor(ladder, toAmountMinor(minor))))

// Prints:
// [ 500, 1000, 2500 ]
// { minimumNextBidMinor: 53400, maximumNextBidMinor: 150900 }
// bid-too-high
// [ 32000, 35000, 40000 ]
