import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test, vi } from 'vitest'
import {
  type Answer,
  bidIn,
  type Client,
  clientOf,
  newAuction,
  newCaller,
  openAuction,
  pointersOf,
  problem,
} from './support/client.ts'
import { serverOfFile, startServer, type TestServer } from './support/server.ts'
import { permissions, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()

let owners = 100

/** An owner without auctions, so that its list has only the auctions of one test. */
const newOwner = (): number => ++owners

test('a read returns the resource of a Location at once', async () => {
  const created = await clientOf(server, newCaller()).createAuction()
  const { id } = created.body.data
  const placed = await clientOf(server, newCaller(), id).placeBid()
  const auction = await clientOf(server).get(created.headers.get('location') ?? '')
  expect(auction).toMatchObject({ status: 200, body: { success: true, data: { id, ...newAuction, bidCount: 1 } } })
  const bid = await clientOf(server).get(placed.headers.get('location') ?? '')
  expect(bid.body).toMatchObject({ success: true, message: placed.body.message })
  expect(bid.body.data).toEqual(bidIn(placed))
})

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
    const answer = await clientOf(server).get(path.replace('{}', id))
    expect(answer).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(answer)).toEqual(['/id'])
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
    const answer = await auction.get(`/api/Auctions/${auction.id}?at=${at}`)
    expect(answer).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(answer)).toEqual(['/at'])
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

const idsOf = ({ body }: Answer): readonly number[] => body.data.items.map(({ id }: { readonly id: number }) => id)

/** Follows a list to its end. Returns the ids of each page. */
async function pagesOf(client: Client, path: string) {
  const pages: (readonly number[])[] = []
  let cursor: string | null = null
  do {
    const page: Answer = await client.get(cursor === null ? path : `${path}&cursor=${cursor}`)
    expect(page.status).toBe(200)
    pages.push(idsOf(page))
    cursor = page.body.data.nextCursor
  } while (cursor !== null)
  return pages
}

describe('a list of auctions', () => {
  test('has the newest first, as a read has them but without descriptions', async () => {
    const ownerId = newOwner()
    const first = await openAuction(server, { ownerId, buyNowPrice: 500 })
    server.clock.advance(1)
    const second = await openAuction(server, { ownerId, startTime: '2030-02-01T00:00:00Z' })
    await first.placeBid({ amount: 110.5 })
    const withoutDescription = ({ description: _, ...item }: Record<string, unknown>) => item
    expect((await clientOf(server).get(`/api/Auctions?ownerId=${ownerId}`)).body.data).toEqual({
      items: [withoutDescription(await second.read()), withoutDescription(await first.read())],
      nextCursor: null,
    })
  })

  test('has what each parameter asks for, on each page', async () => {
    const on = await startServer({ environment: { RATE_LIMIT_MAX: '1000000' } })
    const fields = [
      { startTime: '2030-02-01T00:00:00Z', productId: 8 },
      { title: 'Café table', ownerId: 5 },
      { endTime: '2030-01-31T13:00:00Z' },
      { buyNowPrice: 500 },
      { ownerId: 5 },
      { title: 'Table of walnut', endTime: '2030-02-01T00:00:00Z' },
    ]
    const [, , , bought, cancelled] = await Promise.all(fields.map((each) => openAuction(on, each)))
    await bought?.buyNow()
    on.clock.advance(1)
    await cancelled?.cancelAuction()
    on.clock.set('2030-01-31T13:00:02Z')
    await on.service.closeDue()
    const reader = clientOf(on)
    for (const [query, ids] of [
      ['ownerId=5', [5, 2]],
      ['ownerId=5&productId=7&status=Active', [2]],
      ['productId=8', [1]],
      ['status=Pending', [1]],
      ['status=Active', [6, 2]],
      ['status=Active&sort=endTime', [6, 2]],
      ['status=Ended', [4, 3]],
      ['status=Ended&sort=endedTime', [3, 4]],
      ['status=Cancelled&sort=endedTime', [5]],
      ['sort=endedTime&outcome=bought', [4]],
      ['status=Ended&sort=endedTime&outcome=unsold', [3]],
      ['q=TABLE', [6, 2]],
      ['q=table%20cafe', [2]],
      ['status=Ended&q=table', []],
    ] as const) {
      const page = await reader.get(`/api/Auctions?${query}`)
      expect([query, idsOf(page)]).toEqual([query, ids])
      expect((await pagesOf(reader, `/api/Auctions?${query}&limit=1`)).flat(), query).toEqual(ids)
    }
    const { message } = (await reader.get('/api/Auctions?q=table')).body
    expect(message).toBe('Auctions on this page: 2, newest first.')
  })

  test('has 20 per page by default, and a limit of 1 to 100', async () => {
    const anna = clientOf(await startServer())
    for (let count = 0; count < 21; count++) await anna.createAuction()
    const ids = Array.from({ length: 21 }, (_, index) => 21 - index)
    const first = await anna.get('/api/Auctions')
    expect([idsOf(first), first.body.data.nextCursor]).toEqual([ids.slice(0, 20), expect.any(String)])
    expect(await pagesOf(anna, '/api/Auctions?limit=10')).toEqual([ids.slice(0, 10), ids.slice(10, 20), ids.slice(20)])
    expect(idsOf(await anna.get('/api/Auctions?limit=100'))).toEqual(ids)
  })

  test('refuses a cursor of another order', async () => {
    const ownerId = newOwner()
    for (let count = 0; count < 4; count++) {
      const { cancelAuction } = await openAuction(server, { ownerId })
      if (count < 2) await cancelAuction()
    }
    const list = `/api/Auctions?ownerId=${ownerId}&limit=1`
    const byEnd = `${list}&status=Active&sort=endTime`
    const ended = `${list}&status=Cancelled&sort=endedTime`
    const cursorOfList = async (path: string) => (await clientOf(server).get(path)).body.data.nextCursor
    for (const [path, other] of [
      [list, byEnd],
      [byEnd, list],
      [ended, list],
      [list, ended],
      [byEnd, ended],
    ] as const) {
      expect(pointersOf(await clientOf(server).get(`${path}&cursor=${await cursorOfList(other)}`))).toEqual(['/cursor'])
    }
  })
})

const cursorOf = (position: string) => Buffer.from(position).toString('base64url')

test('a list of bids has the newest first, and cursors of the sequence number, which stay valid', async () => {
  const auction = await openAuction(server)
  for (const amount of [100, 105, 110]) await auction.placeBid({ amount })
  const path = `/api/Auctions/${auction.id}/Bids`
  const page = (await auction.get(`${path}?limit=2`)).body.data
  expect(page.items).toMatchObject([{ amount: 110 }, { amount: 105 }])
  expect(Buffer.from(page.nextCursor, 'base64url').toString()).toBe(`bids/${auction.id} 2`)
  const next = (await auction.get(`${path}?cursor=${page.nextCursor}`)).body.data
  expect([next.items.length, next.items[0].amount, next.nextCursor]).toEqual([1, 100, null])
  const beforeFirst = await auction.get(`${path}?cursor=${cursorOf(`bids/${auction.id} 1`)}`)
  expect(beforeFirst).toMatchObject({ status: 200, body: { data: { items: [], nextCursor: null } } })
})

test('the server closes auctions without a read, after CLOCK_SKEW_SECONDS', async () => {
  const { clock, store, service, ...unread } = await startServer({ environment: { CLOCK_SKEW_SECONDS: '5' } })
  const auction = await openAuction(unread, { endTime: '2030-01-31T12:00:10Z' })
  clock.set('2030-01-31T12:00:14.999Z')
  expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
  expect(await auction.read()).toMatchObject({ status: 'Ended', result: null })
  clock.set('2030-01-31T12:00:15Z')
  await vi.waitUntil(async () => (await store.findHeads([sampleAuction().id])).length === 1, { timeout: 30_000 })
  expect((await auction.read()).result).toEqual({ outcome: 'unsold', reason: 'no-bids' })
})

test.each([
  ['/api/Auctions?limit=0', ['/limit']],
  ['/api/Auctions?limit=101', ['/limit']],
  ['/api/Auctions?limit=010', ['/limit']],
  ['/api/Auctions?limit=5&limit=5', ['/limit']],
  ['/api/Auctions?status=active', ['/status']],
  ['/api/Auctions?sort=endTime', ['/sort']],
  ['/api/Auctions?sort=endTime&status=Ended', ['/sort']],
  ['/api/Auctions?sort=endedTime', ['/sort']],
  ['/api/Auctions?sort=endedTime&status=Active', ['/sort']],
  ['/api/Auctions?outcome=sold', ['/outcome']],
  ['/api/Auctions?outcome=sold&sort=endedTime&status=Cancelled', ['/outcome']],
  ['/api/Auctions?outcome=sold&sort=endedTime&status=Active', ['/sort', '/outcome']],
  ['/api/Auctions?outcome=cancelled&sort=endedTime', ['/outcome']],
  ['/api/Auctions?sort=endTime&status=Active&q=desk', ['/sort']],
  ['/api/Auctions?q=', ['/q']],
  ['/api/Auctions?q=%20-%20', ['/q']],
  ['/api/Auctions?q=1+2+3+4+5+6+7+8+9', ['/q']],
  [`/api/Auctions?q=${'x'.repeat(201)}`, ['/q']],
  ['/api/Auctions?sort=price&status=Active', ['/sort']],
  ['/api/Auctions?ownerId=0', ['/ownerId']],
  ['/api/Auctions?productId=x', ['/productId']],
  ['/api/Auctions?cursor=', ['/cursor']],
  ['/api/Auctions?cursor=nonsense', ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('auctions 1 0')}`, ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('auctions 01 1')}`, ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('auctions 1 1')}=`, ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('bids/1 5')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('auctions 1 1')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/2 5')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 0')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 0 1')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 9007199254740991')}`, ['/cursor']],
  ['/api/Auctions/1/Bids?status=Active', ['/status']],
  ['/api/Auctions?offset=5&limit=x', ['/limit', '/offset']],
  ['/api/Auctions?__proto__=1', ['/__proto__']],
  ['/api/Auctions?a%2Fb=1', ['/a~1b']],
])('%s is 400 at %j', async (path, pointers) => {
  await openAuction(server)
  const answer = await clientOf(server).get(path)
  expect(answer).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(answer)).toEqual(pointers)
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
