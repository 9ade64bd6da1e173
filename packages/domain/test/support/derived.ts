import { createManualClock, createMemorySealer, createMemoryStore } from '@auction/adapters/memory'
import { sampleNewBid } from '@auction/testing/samples'
import { parseNewAuction, parseNewOffer, parsePurchase, parseRelisting } from '../../src/public/parsing.ts'
import { type AuctionService, createAuctionService } from '../../src/service.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { newAuctionJson } from '../support.ts'
import { dueTime, sealedFields, usesOf } from './sealed.ts'
import { openTime } from './service.ts'

export { dueTime }
/** Times after the auctions of tests. */
export const later = { startTime: '2030-03-01T12:00:00Z', endTime: '2030-03-08T12:00:00Z' }

type Bid = { readonly bidderId: number; readonly amount: number; readonly maximumAmount?: number }

/** Bidder 4 would pay 150, bidder 2 300, and bidder 9 wins at 305. */
export const contested: readonly Bid[] = [
  { bidderId: 4, amount: 100, maximumAmount: 150 },
  { bidderId: 2, amount: 105, maximumAmount: 300 },
  { bidderId: 9, amount: 300, maximumAmount: 400 },
]

/** A service with an auction of user 1, from 100 dollars in increments of 5, that has ended after these bids. */
export async function serveEnded(bids: readonly Bid[], fields: Readonly<Record<string, unknown>> = {}) {
  const clock = createManualClock(openTime)
  const store = createMemoryStore()
  const sealer = createMemorySealer()
  const service = createAuctionService({ store, clock, sealer })
  const json = fields['format'] === 'sealed' ? { ...sealedFields, ...fields } : newAuctionJson(fields)
  const auction = unwrap(await service.createAuction(unwrap(parseNewAuction(json, clock.nowMs()))))
  for (const bid of bids) unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, ...bid })))
  clock.set(dueTime)
  await service.closeDue()
  return { service, auction, store, clock, sealer, ...derivingOf(service, auction.id) }
}

/** The use cases that make auctions of one. */
export const derivingOf = (service: AuctionService, auctionId: AuctionId) => ({
  ...usesOf(service, auctionId),
  relist: (fields: object = {}) =>
    service.relistAuction({ auctionId, relisting: unwrap(parseRelisting({ ...later, ...fields })) }),
  offer: (excludedBidderIds: readonly number[], fields: object = {}) =>
    service.makeOffer({
      auctionId,
      offer: unwrap(parseNewOffer({ excludedBidderIds, endTime: later.endTime, ...fields })),
    }),
  buy: (buyerId: number, atMost: number) =>
    service.buyNow({ auctionId, purchase: unwrap(parsePurchase({ buyerId, atMost })) }),
})
