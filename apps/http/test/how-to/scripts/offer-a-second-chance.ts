import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { parseNewAuction, parseNewOffer, parseRelisting } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { sampleNewBid, samplePurchase } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

const fields = {
  ...{ productId: 7, ownerId: 1, startingPrice: 100, minimumBidIncrement: 5, currency: 'USD' },
  ...{ startTime: '2030-01-31T12:00:00Z', endTime: '2030-02-07T12:00:00Z' },
}
const { id: auctionId } = unwrap(await service.createAuction(unwrap(parseNewAuction(fields, clock.nowMs()))))
for (const [bidderId, amount, maximumAmount] of [
  [2, 100, 400],
  [3, 150, 150],
  [4, 500, 500],
] as const) {
  unwrap(await service.placeBid(sampleNewBid({ auctionId, bidderId, amount, maximumAmount })))
}
clock.set('2030-02-07T12:00:02Z')
await service.closeDue()

const endTime = '2030-02-14T12:00:00Z'
const offer = unwrap(parseNewOffer({ excludedBidderIds: [4], endTime }))
const { id, offeredTo, startingPriceMinor } = unwrap(await service.makeOffer({ auctionId, offer }))
console.log(offeredTo, startingPriceMinor)

const buy = (buyerId: number) => service.buyNow({ auctionId: id, purchase: samplePurchase(buyerId, 155) })
const others = await buy(3)
console.log(others.ok || others.refusal.code, unwrap(await buy(2)).result)

const relisting = unwrap(parseRelisting({ startTime: endTime, endTime: '2030-02-21T12:00:00Z', startingPrice: 80 }))
console.log(unwrap(await service.relistAuction({ auctionId, relisting })).relistOf)

// Prints:
// 2 15500
// not-admitted { outcome: 'bought', buyerId: 2, priceMinor: 15500 }
// 1
