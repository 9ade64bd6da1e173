import { manualClock, memoryStore } from '@auction/adapters/memory'
import { parseNewAuction } from '@auction/domain/auction'
import { parseNewBid } from '@auction/domain/bid'
import { unwrap } from '@auction/domain/result'
import { createAuctionUseCase } from '@auction/domain/use-cases/create-auction'
import { placeBidUseCase } from '@auction/domain/use-cases/place-bid'
import { expect, test } from 'vitest'

test('a bid must rise by the increment, and comes too late at the end', async () => {
  const ports = { ...memoryStore(), clock: manualClock('2030-01-31T12:00:00Z') }
  const createAuction = createAuctionUseCase(ports)
  const placeBid = placeBidUseCase(ports)

  const fields = {
    productId: 7,
    ownerId: 1,
    startingPrice: 100,
    minimumBidIncrement: 2.5,
    currency: 'USD',
    startTime: '2030-01-31T12:00:00Z',
    endTime: '2030-01-31T13:00:00Z',
  }
  const auction = unwrap(await createAuction(unwrap(parseNewAuction(fields, ports.clock.nowMs()))))
  const bid = (bidderId: number, amount: number) =>
    placeBid(unwrap(parseNewBid({ auctionId: auction.id, bidderId, amount })))

  expect(await bid(2, 100)).toMatchObject({ ok: true, value: { sequence: 1, amountMinor: 100_00 } })
  expect(await bid(3, 102.49)).toMatchObject({
    ok: false,
    refusal: { code: 'bid-too-low', currentPriceMinor: 100_00, minimumNextBidMinor: 102_50 },
  })
  expect(await bid(3, 102.5)).toMatchObject({ ok: true, value: { sequence: 2 } })

  ports.clock.set('2030-01-31T13:00:00Z')
  expect(await bid(2, 1000)).toMatchObject({ ok: false, refusal: { code: 'auction-ended' } })
})
