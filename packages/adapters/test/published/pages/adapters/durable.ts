import { openSqliteStore } from '@auction/adapters/sqlite'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

for (const amount of [100, 105]) {
  const store = await openSqliteStore('data/auctions.sqlite')
  const service = createAuctionService({ store, clock: systemClock })
  const { items } = unwrap(await service.listAuctions({ limit: 1, order: 'newest' }))
  const open = sampleNewAuction({ startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T23:59:59Z' })
  const auction = items[0]?.auction ?? unwrap(await service.createAuction(open))
  const bid = unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, amount })))
  console.log(`auction ${auction.id}: bid ${bid.id} of ${bid.amountMinor} cents`)
  await service.close()
  await store.close()
}
