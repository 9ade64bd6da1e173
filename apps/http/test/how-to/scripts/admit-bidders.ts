import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toUserId } from '@auction/domain/ids'
import { parseBidder, parseBidders, parseNewAuction, parseNewRegister } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })
const editor = 'clerk'

const register = unwrap(parseNewRegister({ currency: 'USD', admits: 'listed' }))
const { id: registerId } = unwrap(await service.createRegister({ register, editor }))
const bidders = [
  { bidderId: 2, status: 'admitted', limit: 5000, paddle: '12' },
  { bidderId: 3, status: 'admitted', limit: 120 },
]
unwrap(await service.setBidders({ registerId, bidders: unwrap(parseBidders({ bidders })), editor }))

const fields = {
  ...{ registerId, showPaddles: true, productId: 7, ownerId: 1, startingPrice: 100, minimumBidIncrement: 5 },
  ...{ currency: 'USD', startTime: '2030-01-31T12:00:00Z', endTime: '2030-02-07T12:00:00Z' },
}
const { id: auctionId } = unwrap(await service.createAuction(unwrap(parseNewAuction(fields, clock.nowMs()))))

async function bid(bidderId: number, amount: number) {
  const placed = await service.placeBid(sampleNewBid({ auctionId, bidderId, amount }))
  return placed.ok ? placed.value.paddle : placed.refusal
}
console.log(await bid(2, 100))
console.log(await bid(3, 150))

const refusal = { status: 'refused', withdrawBids: true, reason: 'Has not paid for earlier lots.' }
const refused = unwrap(parseBidder(refusal, toUserId(2)))
const { withdrawn } = unwrap(await service.setBidders({ registerId, bidders: refused, editor }))
console.log(withdrawn?.auctions, unwrap(await service.readBidder(registerId, toUserId(2))).admission.registration)

// Prints:
// 12
// {
//   code: 'above-limit',
//   bidderId: 3,
//   limitMinor: 12000,
//   currency: { code: 'USD', exponent: 2 }
// }
// [ { auctionId: 2, outcome: 'withdrawn' } ] refused
