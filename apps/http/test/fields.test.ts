import { expect, test } from 'vitest'
import { clientOf, newAuction, newBid, pointersOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'

// The domain's own tests go through every value of every field; these hold that its parsing stands behind both routes.

type Fault = readonly [fields: object, pointers: readonly string[]]

const auctionFaults: readonly Fault[] = [
  [{ productId: 0 }, ['/productId']],
  [{ productId: '1' }, ['/productId']],
  [{ ownerId: 1.5 }, ['/ownerId']],
  [{ ownerId: true }, ['/ownerId']],
  [{ ownerId: null }, ['/ownerId']],
  [{ title: 'x'.repeat(201) }, ['/title']],
  [{ description: 'x'.repeat(10_001) }, ['/description']],
  [{ startingPrice: -1 }, ['/startingPrice']],
  [{ startingPrice: '100' }, ['/startingPrice']],
  [{ startingPrice: 100.005 }, ['/startingPrice']],
  [{ startingPrice: 1e13 }, ['/startingPrice']],
  [{ startingPrice: 100.5, currency: 'JPY' }, ['/startingPrice']],
  [{ minimumBidIncrement: 0 }, ['/minimumBidIncrement']],
  [{ minimumBidIncrement: 0.0001, currency: 'KWD' }, ['/minimumBidIncrement']],
  [{ currency: 'usd' }, ['/currency']],
  [{ currency: 'XXX' }, ['/currency']],
  [{ currency: 'DEM' }, ['/currency']],
  [{ startTime: '2030-01-31T12:00:00+00:00' }, ['/startTime']],
  [{ startTime: '2030-01-31 12:00:00Z' }, ['/startTime']],
  [{ endTime: '2030-02-30T12:00:00Z' }, ['/endTime']],
  [{ endTime: newAuction.startTime }, ['/endTime']],
  [{ endTime: 1_900_000_000_000 }, ['/endTime']],
  [{ titel: 'Walnut desk' }, ['/titel']],
  [{ productId: 0, currency: 'usd', titel: 'Walnut desk' }, ['/productId', '/currency', '/titel']],
]

test.each(auctionFaults)('§4.1 rule 1: an auction with %j is 400 at %j', async (fields, pointers) => {
  const server = await startServer()
  const refused = await unchanged(server, () => clientOf(server).createAuction(fields))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(refused)).toEqual(pointers)
})

const bidFaults: readonly Fault[] = [
  [{ auctionId: 0 }, ['/auctionId']],
  [{ auctionId: '1' }, ['/auctionId']],
  [{ bidderId: -2 }, ['/bidderId']],
  [{ bidderId: [2] }, ['/bidderId']],
  [{ amount: 0 }, ['/amount']],
  [{ amount: '100' }, ['/amount']],
  [{ amount: 100.001 }, ['/amount']],
  [{ amount: 1e13 }, ['/amount']],
  [{ currency: 'USD' }, ['/currency']],
  [{ auctionId: null, bidderId: 0, amount: false }, ['/auctionId', '/bidderId', '/amount']],
]

test.each(bidFaults)('§4.2 rule 1: a bid with %j is 400 at %j', async (fields, pointers) => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  const refused = await unchanged(server, () => anna.placeBid(fields))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(refused)).toEqual(pointers)
})

const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)
const bodyOf = (unknown: readonly string[]) => JSON.stringify(Object.fromEntries(unknown.map((name) => [name, 0])))

test('of more than 20 faults the first 20 are listed, those of known fields before all, and the others counted', async () => {
  const anna = clientOf(await startServer())
  const refused = await anna.post('/api/Bids', bodyOf(names(34)))
  expect(refused).toMatchObject(problem(400, 'validation-failed', { moreErrors: 17 }))
  expect(refused.body.message).toBe('37 fields are missing or invalid; the first 20 are listed.')
  expect(pointersOf(refused)).toEqual(['/auctionId', '/bidderId', '/amount', ...names(17).map((name) => `/${name}`)])
})

test('of 20 faults all are listed, and none is counted', async () => {
  const refused = await clientOf(await startServer()).post('/api/Bids', bodyOf(names(17)))
  expect(refused.body.message).toBe('20 fields are missing or invalid.')
  expect(refused.body.errors).toHaveLength(20)
  expect(refused.body).not.toHaveProperty('moreErrors')
})

test('a faulty key is listed whatever the number of other faults', async () => {
  const anna = clientOf(await startServer())
  const refused = await anna.post('/api/Bids', bodyOf(names(40)), { 'idempotency-key': 'two words' })
  expect(pointersOf(refused).slice(0, 2)).toEqual(['/Idempotency-Key', '/auctionId'])
  expect(refused.body).toMatchObject({ moreErrors: 24 })
})

test.each([
  ['thousands of fields', bodyOf(names(6_000))],
  ['long names', bodyOf(names(30).map((name) => name.padEnd(2_000, 'x')))],
  ['one very long name', bodyOf(['x'.repeat(65_000)])],
  ['names that grow when they are written', bodyOf(names(90).map((name) => name.padEnd(120, '\u0001')))],
])('the answer to %s is bounded', async (_, body) => {
  const anna = clientOf(await startServer())
  const refused = await anna.post('/api/Auctions', body)
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(refused.text.length).toBeLessThan(16_000)
})

test.each([[{ id: 99, status: 'Ended', timestamp: 'never' }], [{ currentPrice: 1, minimumNextBid: 2, bidCount: 3 }]])(
  'fields that the service assigns are ignored in an auction: %j',
  async (assigned) => {
    const created = await clientOf(await startServer()).createAuction(assigned)
    expect(created).toMatchObject({ status: 201, body: { data: { id: 1, ...newAuction, status: 'Pending' } } })
  },
)

test('a resource that was read can be sent back', async () => {
  const anna = clientOf(await startServer())
  await anna.createAuction()
  await anna.placeBid()
  const auction = await anna.get('/api/Auctions/1')
  const bid = await anna.get('/api/Bids/1')
  expect(await anna.post('/api/Auctions', auction.body.data)).toMatchObject({ status: 201, body: { data: { id: 2 } } })
  expect(await anna.post('/api/Bids', { ...bid.body.data, amount: 105 })).toMatchObject({ status: 201 })
})

test('null for an optional field means not given', async () => {
  const created = await clientOf(await startServer()).createAuction({ title: null, description: null })
  expect(created.status).toBe(201)
  expect(Object.keys(created.body.data)).not.toContain('title')
  expect(Object.keys(created.body.data)).not.toContain('description')
})

test('times are echoed exactly as they were sent', async () => {
  const times = { startTime: '2030-01-31T11:00:00.10Z', endTime: '2030-02-07T12:00:00.123456789Z' }
  const anna = clientOf(await startServer())
  expect((await anna.createAuction(times)).body.data).toMatchObject(times)
  expect((await anna.get('/api/Auctions/1')).body.data).toMatchObject(times)
})

test.each([
  ['JPY', 12_345, 1],
  ['USD', 0.1, 0.01],
  ['KWD', 1.005, 0.001],
  ['USD', 9_999_999_999_999.99, 0.01],
  ['JPY', 999_999_999_999_999, 1],
])('an amount in %s is exact: %d, in steps of %d', async (currency, amount, minimumBidIncrement) => {
  const anna = clientOf(await startServer())
  await anna.createAuction({ currency, startingPrice: amount, minimumBidIncrement })
  const placed = await anna.placeBid({ ...newBid, amount })
  expect(placed.text).toContain(`"amount":${amount},`)
  expect((await anna.get('/api/Auctions/1')).text).toContain(`"currentPrice":${amount},`)
})
