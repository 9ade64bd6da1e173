import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { bidIn, clientOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'

test.each(['DEM', 'USD'])(
  'an auction in %s keeps the number of decimals that it was created with',
  async (currency) => {
    const server = await startServer()
    const anna = clientOf(server)
    const old = { currency, currencyExponent: 3, startingPriceMinor: 100_000, minimumBidIncrementMinor: 5 }
    await server.store.insertAuction(sampleAuction(old))

    const priced = { startingPrice: 100, minimumBidIncrement: 0.005, currency }
    expect((await anna.get('/api/Auctions')).body.data.items).toMatchObject([priced])
    expect((await anna.get('/api/Auctions/1')).body.data).toMatchObject({ ...priced, currentPrice: 100 })

    const placed = await anna.placeBid({ amount: 100.005 })
    expect(placed).toMatchObject({ status: 201, body: { data: { amount: 100.005 } } })
    expect((await anna.get('/api/Bids/1')).body.data).toEqual(bidIn(placed))
    expect((await anna.get('/api/Auctions/1/Bids')).body.data.items).toEqual([bidIn(placed)])
    const tooLow = { currentPrice: 100.005, minimumNextBid: 100.01, currency }
    expect(await anna.placeBid({ amount: 100.009 })).toMatchObject(problem(409, 'bid-too-low', tooLow))
    expect((await anna.get('/api/Auctions/1')).body.data).toMatchObject({
      currentPrice: 100.005,
      minimumNextBid: 100.01,
    })
  },
)
