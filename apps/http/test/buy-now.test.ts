import { describe, expect, test } from 'vitest'
import { type Client, clientOf, pointersOf, problem } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

async function serverWithAuction(fields: object = {}): Promise<TestServer & { readonly anna: Client }> {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction({ buyNowPrice: 500, ...fields })
  return { ...server, anna }
}

const read = async ({ anna }: { readonly anna: Client }) => (await anna.get('/api/Auctions/1')).body.data

test('whoever buys gets it for the buy-now price, at once and for good', async () => {
  const server = await serverWithAuction()
  const { anna } = server
  expect(await read(server)).toMatchObject({ buyNowPrice: 500, buyNowOffered: true, status: 'Active', result: null })
  const answer = await anna.buyNow({ buyerId: 3 })
  expect(answer).toMatchObject({ status: 201, body: { success: true, message: 'Auction 1 is bought.' } })
  expect(answer.headers.get('location')).toBe('/api/Auctions/1')
  expect(answer.body.data).toEqual(await read(server))
  expect(answer.body.data).toMatchObject({
    status: 'Ended',
    bidCount: 0,
    buyNowOffered: false,
    result: { outcome: 'bought', buyerId: 3, price: 500 },
  })
  server.clock.set('2030-02-08T00:00:00Z')
  await server.service.closeDue()
  expect(await read(server)).toEqual(answer.body.data)
})

test('what is bought takes no bid, no purchase and no cancellation, and says when it ended', async () => {
  const server = await serverWithAuction({ cancellableUntilEnd: true })
  server.clock.set('2030-01-31T12:34:56.789Z')
  await server.anna.buyNow()
  const ended = problem(409, 'auction-ended', { endTime: '2030-01-31T12:34:56.789Z' })
  server.clock.set('2030-02-08T00:00:00Z')
  for (const send of [() => server.anna.placeBid(), () => server.anna.buyNow(), () => server.anna.cancelAuction()]) {
    expect(await unchanged(server, send)).toMatchObject(ended)
  }
})

describe('the offer', () => {
  const notOffered = (currentPrice: number, minimumNextBid: number) =>
    problem(409, 'buy-now-not-offered', { currentPrice, minimumNextBid, currency: 'USD' })

  test('ends with the first bid', async () => {
    const server = await serverWithAuction()
    await server.anna.placeBid()
    expect((await read(server)).buyNowOffered).toBe(false)
    const refused = await unchanged(server, () => server.anna.buyNow({ buyerId: 3 }))
    expect(refused).toMatchObject(notOffered(100, 105))
    expect(refused.body.message).toBe(
      'The auction has bids, which ends the offer to buy it at once. Bid for it: 105 USD is the least that counts.',
    )
  })

  test('lasts until the reserve is met, where there is one', async () => {
    const server = await serverWithAuction({ reservePrice: 300 })
    await server.anna.placeBid({ amount: 299.99 })
    expect(await read(server)).toMatchObject({ buyNowOffered: true, reserveMet: false })
    await server.anna.placeBid({ bidderId: 3, amount: 304.99 })
    expect(await read(server)).toMatchObject({ buyNowOffered: false, reserveMet: true })
    const refused = await unchanged(server, () => server.anna.buyNow({ buyerId: 4 }))
    expect(refused).toMatchObject(notOffered(304.99, 309.99))
    expect(refused.body.message).toMatch(/^The bids have met the reserve, .* 309.99 USD is the least that counts\.$/)
  })

  test('is taken between bids below the reserve, whose bids stay readable', async () => {
    const server = await serverWithAuction({ reservePrice: 300 })
    await server.anna.placeBid({ amount: 200 })
    const bought = await server.anna.buyNow({ buyerId: 3 })
    expect(bought.body.data).toMatchObject({
      currentPrice: 200,
      bidCount: 1,
      reserveMet: false,
      result: { outcome: 'bought', buyerId: 3, price: 500 },
    })
    expect((await server.anna.get('/api/Auctions/1/Bids')).body.data.items).toHaveLength(1)
  })

  test('is none where there is no buy-now price', async () => {
    const server = await startServer()
    const anna = clientOf(server)
    await anna.createAuction()
    expect((await anna.get('/api/Auctions/1')).body.data).not.toHaveProperty('buyNowOffered')
    const refused = await unchanged(server, () => anna.buyNow())
    expect(refused).toMatchObject(notOffered(100, 100))
    expect(refused.body.message).toMatch(/^The auction was created without a buyNowPrice\. /)
  })

  test('says so where no higher bid is possible either', async () => {
    const server = await startServer()
    const anna = clientOf(server)
    await anna.createAuction({ startingPrice: 0 })
    await anna.placeBid({ amount: 9_999_999_999_999.99 })
    const refused = await anna.buyNow({ buyerId: 3 })
    expect(refused.body).toMatchObject({ code: 'buy-now-not-offered', minimumNextBid: null })
    expect(refused.body.message).toMatch(/No higher bid is possible/)
  })

  test.each([
    ['2030-01-31T12:00:00.499Z', problem(409, 'auction-not-started', { startTime: '2030-01-31T12:00:00.500Z' }), false],
    ['2030-01-31T12:00:00.500Z', { status: 201 }, true],
    ['2030-01-31T13:00:00.499Z', { status: 201 }, true],
    ['2030-01-31T13:00:00.500Z', problem(409, 'auction-ended', { endTime: '2030-01-31T13:00:00.500Z' }), false],
  ])('holds from the start to before the end: at %s', async (now, expected, isOffered) => {
    const times = { startTime: '2030-01-31T12:00:00.500Z', endTime: '2030-01-31T13:00:00.500Z' }
    const server = await serverWithAuction(times)
    server.clock.set(now)
    expect((await read(server)).buyNowOffered).toBe(isOffered)
    expect(await server.anna.buyNow()).toMatchObject(expected)
  })

  test('is not for the owner', async () => {
    const server = await serverWithAuction()
    expect(await unchanged(server, () => server.anna.buyNow({ buyerId: 1 }))).toMatchObject(
      problem(409, 'owner-cannot-buy', { message: 'The buyer owns the auction; anyone else may buy.' }),
    )
  })

  test('is not taken by a bid of as much: that is a bid', async () => {
    const server = await serverWithAuction()
    expect((await server.anna.placeBid({ amount: 600 })).status).toBe(201)
    expect(await read(server)).toMatchObject({ status: 'Active', currentPrice: 600, result: null })
    expect((await server.anna.placeBid({ bidderId: 3, amount: 605 })).status).toBe(201)
  })
})

test.each<[what: string, fields: object, pointers: readonly string[]]>([
  ['not above the starting price', { buyNowPrice: 100 }, ['/buyNowPrice']],
  ['not above the reserve', { reservePrice: 500 }, ['/buyNowPrice']],
  ['of more decimals than the currency has', { buyNowPrice: 500.001 }, ['/buyNowPrice']],
  ['as a text', { buyNowPrice: '500' }, ['/buyNowPrice']],
])('a buy-now price %s is 400', async (_what, fields, pointers) => {
  const server = await startServer()
  const refused = await unchanged(server, () => clientOf(server).createAuction({ buyNowPrice: 500, ...fields }))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(refused)).toEqual(pointers)
})

test.each<[what: string, path: string, body: unknown, pointers: readonly string[]]>([
  ['no buyer', '1', {}, ['/buyerId']],
  ['a buyer as a text', '1', { buyerId: '2' }, ['/buyerId']],
  ['a price, which the auction has', '1', { buyerId: 2, price: 500 }, ['/price']],
  ['an id that is none', 'x', { buyerId: 0 }, ['/id', '/buyerId']],
  ['an array', '1', [2], ['']],
])('a purchase with %s is 400', async (_what, id, body, pointers) => {
  const server = await serverWithAuction()
  const refused = await unchanged(server, () => server.anna.post(`/api/Auctions/${id}/Purchase`, body))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(refused)).toEqual(pointers)
})

test('a purchase without a body is malformed, and one of an auction that is not there is 404', async () => {
  const server = await serverWithAuction()
  expect(await server.anna.send('POST', '/api/Auctions/1/Purchase')).toMatchObject(problem(400, 'malformed-json'))
  expect(await server.anna.post('/api/Auctions/2/Purchase', { buyerId: 2 })).toMatchObject(
    problem(404, 'auction-not-found'),
  )
})

test('a bound caller buys for itself alone, and the permission is that of bidding', async () => {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
  const by = (uid: number, claims: object = {}) => clientOf(server, tokenOf('anna', { uid, ...claims }))
  await by(1).createAuction({ buyNowPrice: 500 })
  const refused = await unchanged(server, () => by(3).buyNow({ buyerId: 2 }))
  expect(refused).toMatchObject(problem(403, 'forbidden'))
  expect(refused.body.message).toBe('This token acts for another user; buyerId must be what its claim "uid" says.')
  const bidding = { permissions: ['auction-service:Bids:Create'] }
  expect((await by(3, bidding).buyNow({ buyerId: 3 })).status).toBe(201)
  const none = await by(3, { permissions: ['auction-service:Auctions:Create'] }).buyNow({ buyerId: 3 })
  expect(none.headers.get('www-authenticate')).toContain('scope="auction-service:Bids:Create"')
})

test('of two buyers at one moment one gets it, and the other is told that it has ended, round after round', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '10000' } })
  const anna = clientOf(server)
  for (let id = 1; id <= 60; id++) {
    await anna.createAuction({ buyNowPrice: 500 })
    const buyers = [2, 3, 4].slice(0, id % 3 === 0 ? 3 : 2)
    const answers = await Promise.all(buyers.map((buyerId) => anna.post(`/api/Auctions/${id}/Purchase`, { buyerId })))
    const winners = buyers.filter((_, index) => answers[index]?.status === 201)
    expect(winners).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject(problem(409, 'auction-ended', { endTime: '2030-01-31T12:00:00.000Z' }))
    }
    const { result } = (await anna.get(`/api/Auctions/${id}`)).body.data
    expect(result).toEqual({ outcome: 'bought', buyerId: winners[0], price: 500 })
  }
})

test('of a purchase and a first bid at one moment, one is first', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '10000' } })
  const anna = clientOf(server)
  const right = ['201 buy-now-not-offered', 'auction-ended 201']
  for (let id = 1; id <= 40; id++) {
    await anna.createAuction({ buyNowPrice: 500 })
    const bid = () => anna.placeBid({ auctionId: id })
    const buy = () => anna.post(`/api/Auctions/${id}/Purchase`, { buyerId: 3 })
    const answers =
      id % 2 === 0 ? Promise.all([bid(), buy()]) : Promise.all([buy(), bid()]).then((both) => both.reverse())
    const told = (await answers).map(({ status, body }) => (status === 201 ? '201' : body.code)).join(' ')
    expect(right).toContain(told)
  }
})

describe('a key', () => {
  const key = { 'idempotency-key': 'one' }

  test('answers the first 201 again to its buyer, and makes one purchase of twins', async () => {
    const server = await serverWithAuction()
    const twins = await Promise.all(Array.from({ length: 8 }, () => server.anna.buyNow({ buyerId: 3 }, key)))
    expect(new Set(twins.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(twins[0]?.status).toBe(201)
    server.clock.set('2030-03-01T00:00:00Z')
    expect((await server.anna.buyNow({ buyerId: 3 }, key)).text).toBe(twins[0]?.text)
  })

  test('of another buyer, or of another auction, is 422', async () => {
    const server = await serverWithAuction()
    await server.anna.createAuction({ buyNowPrice: 500 })
    await server.anna.buyNow({ buyerId: 3 }, key)
    const reused = problem(422, 'idempotency-key-reused')
    expect(await server.anna.buyNow({ buyerId: 4 }, key)).toMatchObject(reused)
    expect(await server.anna.post('/api/Auctions/2/Purchase', { buyerId: 3 }, key)).toMatchObject(reused)
  })

  test('stands for one operation of the four, each on its own', async () => {
    const server = await serverWithAuction({ reservePrice: 300 })
    const { anna } = server
    expect((await anna.createAuction({ buyNowPrice: 500 }, key)).status).toBe(201)
    expect((await anna.placeBid({}, key)).status).toBe(201)
    expect((await anna.buyNow({ buyerId: 3 }, key)).status).toBe(201)
    expect((await anna.post('/api/Auctions/2/Cancellation', {}, key)).status).toBe(201)
  })
})
