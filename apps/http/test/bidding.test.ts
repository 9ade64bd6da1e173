import { expect, test } from 'vitest'
import { type Client, clientOf, problem } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'

async function serverWithAuction(fields: object = {}): Promise<TestServer & { readonly anna: Client }> {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction(fields)
  return { ...server, anna }
}

const tooLow = (currentPrice: number, minimumNextBid: number) =>
  problem(409, 'bid-too-low', { currentPrice, minimumNextBid, currency: 'USD' })

test('the first bid is accepted from the starting price on', async () => {
  const server = await serverWithAuction()
  expect(await unchanged(server, () => server.anna.placeBid({ amount: 99.99 }))).toMatchObject(tooLow(100, 100))
  expect((await server.anna.placeBid({ amount: 100 })).status).toBe(201)
})

test('without a starting price the first bid offers a minor unit at least', async () => {
  const { anna } = await serverWithAuction({ startingPrice: 0 })
  expect((await anna.get('/api/Auctions/1')).body.data).toMatchObject({ currentPrice: 0, minimumNextBid: 0.01 })
  expect((await anna.placeBid({ amount: 0.01 })).status).toBe(201)
})

test('a later bid is accepted from the highest bid and the increment on, the leader’s own too', async () => {
  const server = await serverWithAuction({ minimumBidIncrement: 0.1 })
  const { anna } = server
  await anna.placeBid({ amount: 100.2 })
  expect(await unchanged(server, () => anna.placeBid({ bidderId: 3, amount: 100.29 }))).toMatchObject(
    tooLow(100.2, 100.3),
  )
  expect((await anna.placeBid({ bidderId: 3, amount: 100.3 })).status).toBe(201)
  expect((await anna.placeBid({ bidderId: 3, amount: 200 })).status).toBe(201)
})

test('of two equal bids the first recorded wins', async () => {
  const { anna } = await serverWithAuction()
  const answers = await Promise.all([2, 3, 4].map((bidderId) => anna.placeBid({ bidderId, amount: 150 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  for (const answer of answers.filter(({ status }) => status === 409)) expect(answer).toMatchObject(tooLow(150, 155))
})

test('past the highest amount there is, no bid is asked for', async () => {
  const server = await serverWithAuction({ minimumBidIncrement: 0.02 })
  const { anna } = server
  const [almost, most] = [9_999_999_999_999.98, 9_999_999_999_999.99]
  expect((await anna.placeBid({ amount: almost })).status).toBe(201)
  expect((await anna.get('/api/Auctions/1')).body.data).toMatchObject({ currentPrice: almost, minimumNextBid: null })
  const refused = await unchanged(server, () => anna.placeBid({ amount: most }))
  expect(refused).toMatchObject(
    problem(409, 'bid-too-low', { currentPrice: almost, minimumNextBid: null, currency: 'USD' }),
  )
  expect(refused.body.message).toBe(
    'No higher bid is possible: at 9999999999999.98 USD, the next one would be more than a bid can offer.',
  )
})

test('the owner can’t bid', async () => {
  const server = await serverWithAuction()
  expect(await unchanged(server, () => server.anna.placeBid({ bidderId: 1 }))).toMatchObject(
    problem(409, 'owner-cannot-bid'),
  )
})

test('a bid on an auction that is not there is 404', async () => {
  const server = await serverWithAuction()
  expect(await unchanged(server, () => server.anna.placeBid({ auctionId: 2 }))).toMatchObject(
    problem(404, 'auction-not-found'),
  )
})

const startTime = '2030-01-31T12:00:00.500Z'
const endTime = '2030-01-31T13:00:00.500Z'

test.each([
  ['2030-01-31T12:00:00.499Z', problem(409, 'auction-not-started', { startTime })],
  ['2030-01-31T12:00:00.500Z', { status: 201 }],
  ['2030-01-31T13:00:00.499Z', { status: 201 }],
  ['2030-01-31T13:00:00.500Z', problem(409, 'auction-ended', { endTime })],
])('a bid is accepted from the start to before the end: at %s', async (now, expected) => {
  const server = await serverWithAuction({ startTime, endTime })
  server.clock.set(now)
  expect(await server.anna.placeBid()).toMatchObject(expected)
})

test('a bid inherits the currency of its auction: more decimals than it has are a fault', async () => {
  const server = await serverWithAuction({ currency: 'JPY' })
  const refused = await unchanged(server, () => server.anna.placeBid({ amount: 100.5 }))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(refused.body.errors).toEqual([{ pointer: '/amount', message: expect.stringContaining('JPY') }])
})

test('when the clock goes back, timestamps do not', async () => {
  const { anna, clock } = await serverWithAuction()
  clock.set('2030-01-31T12:30:00Z')
  await anna.placeBid({ amount: 100 })
  clock.set('2030-01-31T12:10:00Z')
  const placed = await anna.placeBid({ amount: 105 })
  expect(placed.body.data.timestamp).toBe('2030-01-31T12:30:00.000Z')
})

test('a lane that is full answers 503, and nothing of the bid is stored', async () => {
  const held = Promise.withResolvers<void>()
  const server = await startServer({
    // So many bids at once need as many connections.
    environment: { RATE_LIMIT_MAX: '10000', MAX_CONNECTIONS_PER_ADDRESS: '2000' },
    replaceInStore: ({ append }) => ({ append: async (entries) => held.promise.then(() => append(entries)) }),
  })
  const anna = clientOf(server)
  await anna.createAuction()
  const overloaded = Promise.withResolvers<void>()
  const answers = Array.from({ length: 1_100 }, async (_, index) => {
    const answer = await anna.placeBid({ amount: 100 + index * 5 })
    if (answer.status === 503) overloaded.resolve()
    return answer
  })
  await overloaded.promise
  held.resolve()
  const settled = await Promise.all(answers)
  for (const answer of settled.filter(({ status }) => status === 503)) {
    expect(answer).toMatchObject(problem(503, 'overloaded'))
    expect(answer.headers.get('retry-after')).toBe('1')
  }
  const accepted = settled.filter(({ status }) => status === 201)
  expect((await anna.get('/api/Auctions/1')).body.data.bidCount).toBe(accepted.length)
})
