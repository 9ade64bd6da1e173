import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { priceAt } from '@auction/domain/auction'
import { unwrap } from '@auction/domain/result'
import { sampleNewFallingAuction, samplePurchase } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

// The price falls from 100.00 USD by 5.00 every minute to 60.00.
const auction = unwrap(await service.createAuction(sampleNewFallingAuction()))
if (auction.format !== 'falling') throw new Error('it has another format')
console.log([0, 1, 7, 8, 60].map((minutes) => priceAt(auction, clock.nowMs() + minutes * 60_000)))

clock.advance(150_000)
const { currentPriceMinor, nextPriceMinor, nextPriceTime } = unwrap(await service.readAuction(auction.id))
console.log(currentPriceMinor, nextPriceMinor, nextPriceTime?.iso)

for (const [buyerId, atMost] of [
  [2, 89],
  [3, 100],
  [4, 100],
] as const) {
  const bought = await service.buyNow({ auctionId: auction.id, purchase: samplePurchase(buyerId, atMost) })
  console.log(bought.ok ? bought.value.result : bought.refusal.code)
}

// Prints:
// [ 10000, 9500, 6500, 6000, 6000 ]
// 9000 8500 2030-01-31T12:03:00.000Z
// price-is-higher
// { outcome: 'bought', buyerId: 3, priceMinor: 9000 }
// auction-ended
