import { expect, test } from 'vitest'
import { startServer } from '../../support/server.ts'
import { correcting, permissions, tokenOf } from '../../support/tokens.ts'
import { sellAndBid } from './sell-and-bid.ts'
import { sellAtOnce } from './sell-at-once.ts'

const sellerToken = tokenOf('anna', { permissions: [...permissions, correcting] })

test('a TypeScript client generated from the OpenAPI document creates an auction, corrects it, and places bids', async () => {
  const { url, clock } = await startServer()
  const outcome = await sellAndBid(url, sellerToken, new Date(clock.nowMs()))
  expect(outcome).toEqual({
    ...{ auctionId: 1, title: 'Walnut desk', metadata: { lotNumber: '17', color: 'brown' } },
    ...{ bids: [100, 110], currentPrice: 110 },
  })
})

test('a TypeScript client generated from the OpenAPI document buys an auction, and cancels one', async () => {
  const { url, clock } = await startServer()
  const ends = await sellAtOnce(url, tokenOf('anna'), new Date(clock.nowMs()))
  expect(ends).toEqual({ ofTheFirst: 'bought by 3 for 200', ofTheSecond: 'cancelled: without a reason' })
})
