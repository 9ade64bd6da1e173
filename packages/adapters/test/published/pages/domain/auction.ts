import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toDecimal } from '@auction/domain/money'
import { parseNewAuction, parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

const fields = {
  productId: 7,
  ownerId: 1,
  startingPrice: 100,
  minimumBidIncrement: 2.5,
  currency: 'USD',
  startTime: '2030-01-31T12:00:00Z',
  endTime: '2030-01-31T13:00:00Z',
}
const { id, currency } = unwrap(await service.createAuction(unwrap(parseNewAuction(fields, clock.nowMs()))))

for (const amount of [100, 101, 102.5]) {
  const placed = await service.placeBid(unwrap(parseNewBid({ auctionId: id, bidderId: 2, amount })))
  console.log(placed.ok ? `bid ${placed.value.id} is placed` : placed.refusal.code)
}
const { status, currentPriceMinor } = unwrap(await service.readAuction(id))
console.log(status, currentPriceMinor && toDecimal(currentPriceMinor, currency), currency.code)
