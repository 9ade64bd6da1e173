import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, samplePurchase } from '@auction/testing/samples'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })

const { id } = unwrap(await service.createAuction(sampleNewAuction({ buyNowPrice: 200 })))
console.log(unwrap(await service.readAuction(toAuctionId(1))).isBuyNowOffered)

const buyers = [2, 3].map((buyerId) => service.buyNow({ auctionId: id, purchase: samplePurchase(buyerId) }))
for (const bought of await Promise.all(buyers)) console.log(bought.ok ? bought.value.result : bought.refusal.code)

// Prints:
// true
// { outcome: 'bought', buyerId: 2, priceMinor: 20000 }
// auction-ended
