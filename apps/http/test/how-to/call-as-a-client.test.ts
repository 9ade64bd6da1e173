import { describe, expect, test } from 'vitest'
import { openScene } from './test-format-page.ts'

describe('a request that is repeated without a key, as in docs/how-to/call-as-a-client.md', () => {
  test('a leading bid is refused as too low, with its amount as the current price', async () => {
    const { bid, bids } = await openScene()
    await bid(2, 100)
    expect((await bid(2, 100)).body).toMatchObject({ code: 'bid-too-low', currentPrice: 100 })
    expect(await bids()).toEqual(['2: 100'])
  })

  test('a bid that a maximum has outbid is refused as too low, with the automatic bid as the current price', async () => {
    const { bid, bids } = await openScene()
    await bid(2, 100, 200)
    await bid(3, 150)
    expect((await bid(3, 150)).body).toMatchObject({ code: 'bid-too-low', currentPrice: 155 })
    expect(await bids()).toEqual(['2: 100', '3: 150', '2: 155 auto'])
  })

  test('a bid with a maximum, or a raise of it, is refused as not raised', async () => {
    const { bid, bids } = await openScene()
    for (const maximumAmount of [200, 300]) {
      await bid(2, 100, maximumAmount)
      expect((await bid(2, 100, maximumAmount)).body.code).toBe('maximum-not-raised')
    }
    expect(await bids()).toEqual(['2: 100'])
  })

  test('a purchase is refused as ended, and the auction shows the buyer', async () => {
    const { anna, auction } = await openScene({ buyNowPrice: 200 })
    await anna.buyNow({ buyerId: 2 })
    expect((await anna.buyNow({ buyerId: 2 })).body.code).toBe('auction-ended')
    expect((await auction()).result).toMatchObject({ buyerId: 2 })
  })
})
