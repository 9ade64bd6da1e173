import { createManualClock, createMemorySealer, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toUserId } from '@auction/domain/ids'
import { parseNewAuction } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { sampleNewBid, sampleOwnWithdrawal } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock, sealer: createMemorySealer() })

const fields = {
  ...{ format: 'sealed', pricing: 'second', reveal: 'bids', productId: 7, ownerId: 1 },
  ...{ startingPrice: 100, reservePrice: 110, currency: 'USD' },
  ...{ startTime: '2030-01-31T12:00:00Z', endTime: '2030-02-07T12:00:00Z' },
}
const { id: auctionId } = unwrap(await service.createAuction(unwrap(parseNewAuction(fields, clock.nowMs()))))

for (const [bidderId, amount] of [
  [2, 150],
  [3, 120],
  [2, 140],
  [4, 500],
] as const) {
  unwrap(await service.placeBid(sampleNewBid({ auctionId, bidderId, amount })))
}
unwrap(await service.withdrawOwnBid({ auctionId, withdrawal: sampleOwnWithdrawal(4) }))

const viewerId = toUserId(2)
console.log(unwrap(await service.readAuction(auctionId, viewerId)).ownBid?.amountMinor)
const listed = async (viewer = {}) =>
  unwrap(await service.listBids(auctionId, { limit: 10, ...viewer })).items.map(({ amountMinor }) => amountMinor)
console.log(await listed({ viewerId }), await listed())

clock.set('2030-02-07T12:00:02Z')
await service.closeDue()
console.log(unwrap(await service.readAuction(auctionId)).result)
console.log(await listed())

// Prints:
// 14000
// [ 14000, 15000 ] []
// {
//   outcome: 'sold',
//   bidId: 3,
//   winnerId: 2,
//   priceMinor: 12000,
//   bidderCount: 2
// }
// [ 14000, 12000 ]
