import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { auctionCursor, readAuctionCursor } from '@auction/domain/cursors'
import { auctionViewJson, everyone } from '@auction/domain/json'
import { unwrap } from '@auction/domain/result'
import { desk, offer } from './values.ts'

const service = createAuctionService({ store: createMemoryStore(), clock: createManualClock('2030-01-31T12:00:00Z') })

/** A page of auctions, as a route of a program may return it. */
async function pageAfter(cursor?: string) {
  const after = cursor === undefined ? undefined : readAuctionCursor(cursor)
  const { items, next } = unwrap(await service.listAuctions({ order: 'newest', limit: 1, after }))
  return { items: items.map((view) => auctionViewJson(view, everyone)), nextCursor: next && auctionCursor(next) }
}

await service.createAuction(desk)
await service.createAuction(desk)
await service.placeBid(offer)
const { nextCursor } = await pageAfter()
console.log(nextCursor)
const [auction] = (await pageAfter(nextCursor)).items
console.log(auction?.id, auction?.currentPrice, auction?.minimumNextBid, auction?.effectiveEndTime)
