import { expect, test } from 'vitest'
import { startServer } from '../../support/server.ts'
import { tokenOf } from '../../support/tokens.ts'
import { sellAndBid } from './sell-and-bid.ts'

test('a TypeScript client made from the OpenAPI document creates an auction and places a bid', async () => {
  const { url, clock } = await startServer()
  const outcome = await sellAndBid(url, tokenOf('anna'), new Date(clock.nowMs()))
  expect(outcome).toEqual({ auctionId: 1, bids: [100], currentPrice: 100 })
})
