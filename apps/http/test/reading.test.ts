import { describe, expect, test } from 'vitest'
import { clientOf, openAuction, pointersOf, problem } from './support/client.ts'
import { serverOfFile, startServer, type TestServer } from './support/server.ts'
import { permissions, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()

const invalidIds = [
  '0',
  '-1',
  '01',
  '1.0',
  '1e0',
  '+1',
  '%201',
  'one',
  '9007199254740992',
  '1'.repeat(2_000),
  '0x1',
  '١',
]
const paths = ['/api/Auctions/{}', '/api/Bids/{}', '/api/Auctions/{}/Bids']

test.each(invalidIds)('the id %s is invalid in each path', async (id) => {
  for (const path of paths) {
    const response = await clientOf(server).get(path.replace('{}', id))
    expect(response).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(response)).toEqual(['/id'])
  }
})

test('an auction is read as it was after an entry, with a separate entity tag', async () => {
  const auction = await openAuction(server)
  for (const [bidderId, amount] of [
    [2, 100],
    [3, 120],
  ] as const)
    await auction.placeBid({ bidderId, amount })
  const path = `/api/Auctions/${auction.id}`
  const was = await auction.get(`${path}?at=1`)
  expect(was.body).toMatchObject({
    message: `Auction ${auction.id} was Active after entry 1.`,
    now: expect.any(String),
  })
  expect(was.body.data).toMatchObject({ leaderId: 2, currentPrice: 100, minimumNextBid: 105, bidCount: 1 })
  const last = await auction.get(`${path}?at=2`)
  expect(last.body.data).toEqual(await auction.read())
  expect(last.headers.get('etag')).not.toBe(was.headers.get('etag'))
  const again = { headers: { 'if-none-match': was.headers.get('etag') ?? '' } }
  expect((await auction.send('GET', `${path}?at=1`, again)).status).toBe(304)
})

test('an auction is read as it was at a time', async () => {
  const auction = await openAuction(server)
  const { timestamp } = (await auction.placeBid()).body.data
  const was = await auction.get(`/api/Auctions/${auction.id}?at=${timestamp}`)
  expect(was.body).toMatchObject({
    message: `Auction ${auction.id} was Active at ${timestamp}.`,
    data: { bidCount: 1 },
  })
})

const refusedTimes = [
  '2030-01-31',
  '2030-01-31T12:00:00',
  '2030-02-30T12:00:00Z',
  '2020-01-31T12:00:00Z',
  '9999-01-31T12:00:00Z',
]
test.each(['-1', '1.5', 'first', '', '3', '01', '9007199254740992', ...refusedTimes])(
  'an auction cannot be read as it was at "%s"',
  async (at) => {
    const auction = await openAuction(server)
    await auction.placeBid()
    const response = await auction.get(`/api/Auctions/${auction.id}?at=${at}`)
    expect(response).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(response)).toEqual(['/at'])
  },
)

test('earlier states show who bid, and so require the permission to read bids', async () => {
  const closed = await startServer({ environment: { PERMISSIONS_BIDS_READ: 'bids' } })
  const auction = await openAuction(closed)
  const path = `/api/Auctions/${auction.id}`
  expect((await auction.get(path)).status).toBe(200)
  expect(await auction.get(`${path}?at=0`)).toMatchObject(problem(403, 'forbidden'))
  expect((await clientOf(closed, tokenOf('bea', { permissions: ['bids'] })).get(`${path}?at=0`)).status).toBe(200)
  const open = await openAuction(await startServer({ environment: { ANONYMOUS_READS: 'on' } }))
  expect((await open.as('').get(`/api/Auctions/${open.id}?at=0`)).status).toBe(200)
})

describe('permissions', async () => {
  const restricted = await serverOfFile({
    environment: { PERMISSIONS_AUCTIONS_READ: 'see:auctions', PERMISSIONS_BIDS_READ: 'see:bids' },
  })
  const holding = (...granted: readonly string[]) => tokenOf('bert', { permissions: granted })

  test.each([
    '/api/Auctions',
    '/api/Auctions/{id}',
    '/api/Bids/{bid}',
    '/api/Auctions/{id}/Bids',
    '/api/Bids?bidderId=2',
  ])('of %s', async (path) => {
    const pathOn = async (each: TestServer) => {
      const auction = await openAuction(each, {}, tokenOf('anna', { permissions }))
      const bid = await auction.placeBid()
      return path.replace('{id}', String(auction.id)).replace('{bid}', bid.body.data.id)
    }
    const open = await pathOn(server)
    expect((await clientOf(server, holding()).get(open)).status).toBe(200)
    expect(await clientOf(server, '').get(open)).toMatchObject(problem(401, 'unauthenticated'))
    const closed = await pathOn(restricted)
    const [value, other] = path.includes('Bids') ? ['see:bids', 'see:auctions'] : ['see:auctions', 'see:bids']
    const refused = await clientOf(restricted, holding(other)).get(closed)
    expect(refused).toMatchObject(problem(403, 'forbidden'))
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${value}"`)
    expect((await clientOf(restricted, holding(value)).get(closed)).status).toBe(200)
  })
})

/** The paths of all reads, for an auction with a bid. */
async function readings() {
  const auction = await openAuction(server)
  const bid = (await auction.placeBid()).headers.get('location') ?? ''
  const path = `/api/Auctions/${auction.id}`
  return { auction, paths: [path, bid, '/api/Auctions', `${path}/Bids`] }
}

test('every read has the time of the server, in UTC with milliseconds', async () => {
  const { auction, paths } = await readings()
  for (const now of ['2030-02-01T00:00:00.000Z', '2030-02-01T00:00:00.007Z']) {
    server.clock.set(now)
    for (const path of paths) {
      const { body } = await auction.get(path)
      expect(Object.keys(body)).toEqual(['success', 'message', 'data', 'now'])
      expect(body.now).toBe(now)
    }
  }
})

test('the entity tag does not cover the time', async () => {
  const { auction, paths } = await readings()
  for (const path of paths) {
    const first = await auction.get(path)
    const tag = first.headers.get('etag')
    server.clock.set('2030-02-01T00:00:00.123Z')
    if (tag !== null) {
      expect((await auction.send('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304)
      expect((await auction.get(path)).headers.get('etag')).toBe(tag)
    }
  }
})

test('the time is read before the data, so that the data is not older', async () => {
  const late = await startServer({
    replaceInStore: (store) => ({
      async findHeads(...given) {
        late.clock.set('2030-02-08T00:00:00Z')
        return store.findHeads(...given)
      },
    }),
  })
  const auction = await openAuction(late)
  expect((await auction.get(`/api/Auctions/${auction.id}`)).body.now).toBe('2030-01-31T12:00:00.000Z')
  expect(late.clock.nowMs()).toBe(Date.parse('2030-02-08T00:00:00Z'))
})
