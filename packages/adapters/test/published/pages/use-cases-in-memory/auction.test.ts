import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'

test('a bid must rise by the increment, and the leader wins at the end', async () => {
  const clock = createManualClock('2030-01-31T12:00:00Z')
  const service = createAuctionService({ store: createMemoryStore(), clock })

  const desk = sampleNewAuction({ startingPrice: 100, minimumBidIncrement: 2.5, endTime: '2030-01-31T13:00:00Z' })
  const auction = unwrap(await service.createAuction(desk))
  const bid = (bidderId: number, amount: number) =>
    service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId, amount }))

  assert.partialDeepStrictEqual(await bid(2, 100), { ok: true, value: { id: 1, amountMinor: 100_00 } })
  assert.partialDeepStrictEqual(await bid(3, 102.49), {
    ok: false,
    refusal: { code: 'bid-too-low', currentPriceMinor: 100_00, minimumNextBidMinor: 102_50 },
  })
  assert.partialDeepStrictEqual(await bid(3, 102.5), { ok: true, value: { id: 2 } })

  clock.set('2030-01-31T13:00:00Z')
  assert.partialDeepStrictEqual(await bid(2, 1000), { ok: false, refusal: { code: 'auction-ended' } })

  // The result is recorded two seconds after the end: until then, bids that arrived in time still count.
  clock.advance(2_000)
  await service.closeDue()
  assert.partialDeepStrictEqual(unwrap(await service.readAuction(auction.id)), {
    status: 'Ended',
    result: { outcome: 'sold', bidId: 2, winnerId: 3, priceMinor: 102_50 },
  })
})
