import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { parseNewBid } from '@auction/domain/auction/bid'
import { parseNewAuction } from '@auction/domain/auction/new-auction'
import { unwrap } from '@auction/domain/result'
import { createAuctionService } from '@auction/domain/service'
import { expect, test } from 'vitest'

test('a bid must rise by the increment, and whoever leads at the end has won', async () => {
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
  const auction = unwrap(await service.createAuction(unwrap(parseNewAuction(fields, clock.nowMs()))))
  const bid = (bidderId: number, amount: number) =>
    service.placeBid(unwrap(parseNewBid({ auctionId: auction.id, bidderId, amount })))

  expect(await bid(2, 100)).toMatchObject({ ok: true, value: { id: 1, amountMinor: 100_00 } })
  expect(await bid(3, 102.49)).toMatchObject({
    ok: false,
    refusal: { code: 'bid-too-low', currentPriceMinor: 100_00, minimumNextBidMinor: 102_50 },
  })
  expect(await bid(3, 102.5)).toMatchObject({ ok: true, value: { id: 2 } })

  clock.set('2030-01-31T13:00:00Z')
  expect(await bid(2, 1000)).toMatchObject({ ok: false, refusal: { code: 'auction-ended' } })

  // The result is final when the margin for clocks that differ is over.
  clock.advance(2_000)
  await service.closeDue()
  expect(unwrap(await service.readAuction(auction.id))).toMatchObject({
    status: 'Ended',
    result: { outcome: 'sold', bidId: 2, winnerId: 3, priceMinor: 102_50 },
  })
})
