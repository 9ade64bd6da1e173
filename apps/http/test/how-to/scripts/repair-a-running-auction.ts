import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { parseEarlyEnd, parseExtension, parseReserveReduction, parseWithdrawal } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })
const auctionId = toAuctionId(1)
const editor = 'anna of support'

await service.createAuction(sampleNewAuction({ reservePrice: 300 }))
await service.placeBid(sampleNewBid({ bidderId: 2, amount: 100, maximumAmount: 200 }))
await service.placeBid(sampleNewBid({ bidderId: 3, amount: 1500 }))

const extension = unwrap(
  parseExtension({ endTime: '2030-02-07T12:15:00Z', reason: 'Our servers could not be reached.' }),
)
const extended = unwrap(await service.extendAuction({ auctionId, extension, editor }))
console.log('ends at', extended.effectiveEndTime.iso)

const withdrawal = unwrap(parseWithdrawal({ bidderId: 3, reason: 'The bidder sent a zero too many.' }))
const withdrawn = unwrap(await service.withdrawBidder({ auctionId, withdrawal, editor }))
console.log('user', withdrawn.leaderId, 'leads at', withdrawn.currentPriceMinor)

const reduction = unwrap(parseReserveReduction({ reservePrice: 150, reason: 'The seller accepts less.' }))
const lowered = unwrap(await service.lowerReserve({ auctionId, reduction, editor }))
console.log('user', lowered.leaderId, 'leads at', lowered.currentPriceMinor)

const earlyEnd = unwrap(parseEarlyEnd({ reason: 'The product was damaged.' }))
await service.endAuction({ auctionId, earlyEnd, editor })
clock.advance(3_000)
await service.closeDue()
console.log(unwrap(await service.readAuction(auctionId)).result)

// Prints:
// ends at 2030-02-07T12:15:00.000Z
// user 2 leads at 10000
// user 2 leads at 15000
// {
//   outcome: 'sold',
//   bidId: 6,
//   winnerId: 2,
//   priceMinor: 15000,
//   isEndedEarly: true
// }
