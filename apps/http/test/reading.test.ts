import { sampleAuction } from '@auction/domain/testing/samples'
import { expect, test, vi } from 'vitest'
import { type Answer, type Client, clientOf, newAuction, newBid, pointersOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

test('every Location resolves', async () => {
  const anna = clientOf(await startServer())
  const created = await anna.createAuction()
  const placed = await anna.placeBid()
  const auction = await anna.get(created.headers.get('location') ?? '')
  const bid = await anna.get(placed.headers.get('location') ?? '')
  expect(auction).toMatchObject({ status: 200, body: { success: true, data: { id: 1, ...newAuction } } })
  expect(bid.body).toEqual({ success: true, message: 'Bid 1 is placed.', data: placed.body.data })
})

test('an auction is read with its status, price and number of bids, which follow a 201 at once', async () => {
  const { clock, ...server } = await startServer()
  const anna = clientOf(server)
  clock.set('2030-01-31T10:00:00Z')
  await anna.createAuction()
  const readAt = async (now: string) => {
    clock.set(now)
    const { status, currentPrice, minimumNextBid, bidCount } = (await anna.get('/api/Auctions/1')).body.data
    return { status, currentPrice, minimumNextBid, bidCount }
  }
  expect(await readAt('2030-01-31T10:59:59.999Z')).toEqual({
    status: 'Pending',
    currentPrice: 100,
    minimumNextBid: 100,
    bidCount: 0,
  })
  expect(await readAt('2030-01-31T11:00:00Z')).toMatchObject({ status: 'Active' })
  await anna.placeBid({ amount: 110.5 })
  const after = { currentPrice: 110.5, minimumNextBid: 115.5, bidCount: 1 }
  expect(await readAt('2030-02-07T11:59:59.999Z')).toEqual({ status: 'Active', ...after })
  expect(await readAt('2030-02-07T12:00:00Z')).toEqual({ status: 'Ended', ...after })
})

test.each([
  ['/api/Auctions/2', 'auction-not-found'],
  ['/api/Auctions/2/Bids', 'auction-not-found'],
  ['/api/Auctions/9007199254740991', 'auction-not-found'],
  ['/api/Bids/2', 'bid-not-found'],
])('%s is 404 when there is none', async (path, code) => {
  const anna = clientOf(await startServer())
  await anna.createAuction()
  expect(await anna.get(path)).toMatchObject(problem(404, code))
})

const badIds = ['0', '-1', '01', '1.0', '1e0', '+1', '%201', 'one', '9007199254740992', '1'.repeat(2_000), '0x1', '١']

test.each(badIds.flatMap((id) => [`/api/Auctions/${id}`, `/api/Bids/${id}`, `/api/Auctions/${id}/Bids`]))(
  '%s has an id that is none',
  async (path) => {
    const anna = clientOf(await startServer())
    await anna.createAuction()
    const answer = await anna.get(path)
    expect(answer).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(answer)).toEqual(['/id'])
  },
)

const ids = ({ body }: Answer): readonly number[] => body.data.items.map(({ id }: { readonly id: number }) => id)

/** Follows a list to its end, and says which ids each page had; `meanwhile` happens between pages. */
async function pages(client: Client, path: string, meanwhile: () => Promise<unknown> = async () => undefined) {
  const found: (readonly number[])[] = []
  let cursor: string | null = null
  do {
    const page: Answer = await client.get(cursor === null ? path : `${path}&cursor=${cursor}`)
    expect(page.status).toBe(200)
    found.push(ids(page))
    cursor = page.body.data.nextCursor
    await meanwhile()
  } while (cursor !== null)
  return found
}

const unsoldYet = { currentPrice: 100, minimumNextBid: 100, bidCount: 0, result: null }

test('auctions are listed newest first, with their status and without their descriptions', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  server.clock.advance(1)
  await anna.createAuction({ startTime: '2030-02-01T00:00:00Z' })
  const list = await anna.get('/api/Auctions')
  const { description: _, ...item } = newAuction
  expect(list.body.data).toEqual({
    items: [
      { id: 2, ...item, startTime: '2030-02-01T00:00:00Z', status: 'Pending', ...unsoldYet },
      { id: 1, ...item, status: 'Active', ...unsoldYet },
    ],
    nextCursor: null,
  })
})

test('an item of the list carries what the single read does, but its description', async () => {
  const anna = clientOf(await startServer())
  await anna.createAuction()
  await anna.placeBid({ amount: 110.5 })
  const { description: _, ...single } = (await anna.get('/api/Auctions/1')).body.data
  expect(single).toMatchObject({ currentPrice: 110.5, minimumNextBid: 115.5, bidCount: 1, result: null })
  expect((await anna.get('/api/Auctions')).body.data.items).toEqual([single])
})

test('auctions can be listed by owner and by product', async () => {
  const anna = clientOf(await startServer())
  await anna.createAuction({ ownerId: 5, productId: 50 })
  await anna.createAuction({ ownerId: 6, productId: 50 })
  await anna.createAuction({ ownerId: 5, productId: 51 })
  expect(ids(await anna.get('/api/Auctions?ownerId=5'))).toEqual([3, 1])
  expect(ids(await anna.get('/api/Auctions?productId=50'))).toEqual([2, 1])
  expect(ids(await anna.get('/api/Auctions?ownerId=5&productId=51'))).toEqual([3])
  expect(ids(await anna.get('/api/Auctions?ownerId=7'))).toEqual([])
  expect(await pages(anna, '/api/Auctions?ownerId=5&limit=1')).toEqual([[3], [1]])
})

test('open auctions can be listed by their end, the soonest first', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  for (const endTime of [
    '2030-02-03T00:00:00Z',
    '2030-02-01T00:00:00Z',
    '2030-01-31T12:30:00Z',
    '2030-02-02T00:00:00Z',
  ]) {
    await anna.createAuction({ endTime })
  }
  server.clock.set('2030-01-31T13:00:00Z')
  expect(await pages(anna, '/api/Auctions?status=Active&sort=endTime&limit=2')).toEqual([[2, 4], [1]])
})

test.each([
  ['?sort=endTime', '/sort'],
  ['?sort=endTime&status=Ended', '/sort'],
  ['?sort=price&status=Active', '/sort'],
  ['?ownerId=0', '/ownerId'],
  ['?ownerId=01', '/ownerId'],
  ['?productId=x', '/productId'],
])('GET /api/Auctions%s is 400, with a pointer to %s', async (query, pointer) => {
  const answer = await clientOf(await startServer()).get(`/api/Auctions${query}`)
  expect(answer).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(answer)).toEqual([pointer])
})

test('a cursor of one order is none of the other', async () => {
  const anna = clientOf(await startServer())
  for (let count = 0; count < 3; count++) await anna.createAuction()
  const newest = (await anna.get('/api/Auctions?limit=1')).body.data.nextCursor
  const soonest = (await anna.get('/api/Auctions?limit=1&status=Active&sort=endTime')).body.data.nextCursor
  for (const path of [`?cursor=${soonest}`, `?status=Active&sort=endTime&cursor=${newest}`]) {
    expect(pointersOf(await anna.get(`/api/Auctions${path}`))).toEqual(['/cursor'])
  }
})

test('the result is null until the margin for clocks is over, and then tells who has won', async () => {
  const server = await startServer({ environment: { CLOCK_SKEW_SECONDS: '5' } })
  const anna = clientOf(server)
  await anna.createAuction({ endTime: '2030-01-31T12:00:10Z' })
  await anna.createAuction({ endTime: '2030-01-31T12:00:10Z' })
  await anna.placeBid({ amount: 110.5 })
  const readAt = async (now: string, id: number) => {
    server.clock.set(now)
    const { status, result } = (await anna.get(`/api/Auctions/${id}`)).body.data
    return { status, result }
  }
  expect(await readAt('2030-01-31T12:00:10Z', 1)).toEqual({ status: 'Ended', result: null })
  expect(await readAt('2030-01-31T12:00:14.999Z', 1)).toEqual({ status: 'Ended', result: null })
  // The first read that finds it overdue has it closed, and does not wait for that.
  expect(await readAt('2030-01-31T12:00:15Z', 1)).toMatchObject({ status: 'Ended' })
  await readAt('2030-01-31T12:00:15Z', 2)
  const sold = { outcome: 'sold', bidId: 1, winnerId: newBid.bidderId, price: 110.5 }
  expect(await readAt('2030-01-31T12:00:15Z', 1)).toEqual({ status: 'Ended', result: sold })
  expect(await readAt('2030-01-31T11:30:00Z', 2)).toEqual({
    status: 'Ended',
    result: { outcome: 'unsold', reason: 'no-bids' },
  })
  expect((await anna.get('/api/Auctions/1/Bids')).body.data.items).toHaveLength(1)
  expect(await anna.placeBid({ amount: 500 })).toMatchObject(problem(409, 'auction-ended'))
})

test('auctions are closed without anybody reading them', async () => {
  const server = await startServer()
  await clientOf(server).createAuction({ endTime: '2030-01-31T12:00:10Z' })
  server.clock.set('2030-01-31T12:00:12Z')
  await vi.waitUntil(async () => (await server.store.findHeads([sampleAuction().id])).length === 1, { timeout: 30_000 })
  expect((await clientOf(server).get('/api/Auctions/1')).body.data.result).toEqual({
    outcome: 'unsold',
    reason: 'no-bids',
  })
})

test('a page has 20 items unless a limit is given; the last page has no cursor', async () => {
  const anna = clientOf(await startServer())
  for (let count = 0; count < 21; count++) await anna.createAuction()
  const first = await anna.get('/api/Auctions')
  expect(ids(first)).toHaveLength(20)
  expect(first.body.data.nextCursor).toEqual(expect.any(String))
  expect(await pages(anna, '/api/Auctions?limit=10')).toEqual([
    [21, 20, 19, 18, 17, 16, 15, 14, 13, 12],
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
    [1],
  ])
  expect(ids(await anna.get('/api/Auctions?limit=100'))).toHaveLength(21)
  expect((await anna.get('/api/Auctions?limit=21')).body.data.nextCursor).toBeNull()
})

test('auctions that are created meanwhile make no page skip or repeat one', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  for (let count = 0; count < 5; count++) await anna.createAuction()
  const found = await pages(anna, '/api/Auctions?limit=2', async () => {
    server.clock.advance(1)
    await anna.createAuction()
  })
  expect(found).toEqual([[5, 4], [3, 2], [1]])
})

test('bids are listed newest first; bids that are placed meanwhile make no page skip or repeat one', async () => {
  const anna = clientOf(await startServer())
  await anna.createAuction()
  let amount = 100
  const bid = () => {
    amount += 5
    return anna.placeBid({ amount })
  }
  for (let count = 0; count < 5; count++) await bid()
  expect(await pages(anna, '/api/Auctions/1/Bids?limit=2', bid)).toEqual([[5, 4], [3, 2], [1]])
  const [item] = (await anna.get('/api/Auctions/1/Bids')).body.data.items
  expect(item).toEqual({ ...newBid, id: 8, amount, timestamp: '2030-01-31T12:00:00.000Z' })
})

test('auctions can be listed by status', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction({ endTime: '2030-01-31T12:00:01Z' })
  await anna.createAuction()
  await anna.createAuction({ startTime: '2030-02-01T00:00:00Z' })
  server.clock.advance(1_000)
  expect(ids(await anna.get('/api/Auctions?status=Ended'))).toEqual([1])
  expect(ids(await anna.get('/api/Auctions?status=Active'))).toEqual([2])
  expect(ids(await anna.get('/api/Auctions?status=Pending'))).toEqual([3])
})

const cursorOf = (place: string) => Buffer.from(place).toString('base64url')

test.each([
  ['/api/Auctions?limit=0', ['/limit']],
  ['/api/Auctions?limit=101', ['/limit']],
  ['/api/Auctions?limit=', ['/limit']],
  ['/api/Auctions?limit=010', ['/limit']],
  ['/api/Auctions?limit=1e1', ['/limit']],
  ['/api/Auctions?limit=5&limit=5', ['/limit']],
  ['/api/Auctions?status=active', ['/status']],
  ['/api/Auctions?status=Pending&status=Ended', ['/status']],
  ['/api/Auctions?cursor=', ['/cursor']],
  ['/api/Auctions?cursor=nonsense', ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('auctions 1 0')}`, ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('auctions 1')}`, ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('auctions 01 1')}`, ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('auctions 1e3 1')}`, ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('auctions 1 1')}=`, ['/cursor']],
  [`/api/Auctions?cursor=${cursorOf('bids/1 5')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('auctions 1 1')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/2 5')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 0')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 -1')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 0 1')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 1 0')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 1 2')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 1 1 1')}`, ['/cursor']],
  [`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 9007199254740991')}`, ['/cursor']],
  ['/api/Auctions/1/Bids?status=Active', ['/status']],
  ['/api/Auctions?offset=5&limit=x', ['/limit', '/offset']],
  ['/api/Auctions?__proto__=1', ['/__proto__']],
  ['/api/Auctions?a%2Fb=1', ['/a~1b']],
])('%s is 400 at %j', async (path, pointers) => {
  const anna = clientOf(await startServer())
  await anna.createAuction()
  const answer = await anna.get(path)
  expect(answer).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(answer)).toEqual(pointers)
})

test('before the first bid there is nothing more', async () => {
  const anna = clientOf(await startServer())
  await anna.createAuction()
  await anna.placeBid()
  await anna.placeBid({ amount: 105 })
  const page = await anna.get(`/api/Auctions/1/Bids?cursor=${cursorOf('bids/1 1')}`)
  expect(page).toMatchObject({ status: 200, body: { data: { items: [], nextCursor: null } } })
})

test('of more than 20 faults of a query the first 20 are listed, those of known parameters before all', async () => {
  const anna = clientOf(await startServer())
  const unknown = Array.from({ length: 40 }, (_, index) => `p${index}${'x'.repeat(150)}=1`)
  const refused = await anna.get(`/api/Auctions?${unknown.join('&')}&limit=0`)
  expect(refused).toMatchObject(problem(400, 'validation-failed', { moreErrors: 21 }))
  expect(refused.body.message).toBe('41 fields are missing or invalid; the first 20 are listed.')
  expect(pointersOf(refused)).toHaveLength(20)
  expect(pointersOf(refused).slice(0, 2)).toEqual(['/limit', `/p0${'x'.repeat(98)}…`])
})

const reads = ['/api/Auctions', '/api/Auctions/1', '/api/Bids/1', '/api/Auctions/1/Bids']

test.each(reads)('any valid token may read %s, and no request without', async (path) => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  await anna.placeBid()
  expect((await clientOf(server, tokenOf('bert', { permissions: [] })).get(path)).status).toBe(200)
  expect(await clientOf(server, '').get(path)).toMatchObject(problem(401, 'unauthenticated'))
})

test.each(reads)('%s needs a permission when one is configured', async (path) => {
  const environment = { PERMISSIONS_AUCTIONS_READ: 'see:auctions', PERMISSIONS_BIDS_READ: 'see:bids' }
  const server = await startServer({ environment })
  const anna = clientOf(server)
  await anna.createAuction()
  await anna.placeBid()
  const [value, other] = path.includes('Bids') ? ['see:bids', 'see:auctions'] : ['see:auctions', 'see:bids']
  const refused = await clientOf(server, tokenOf('bert', { permissions: [other] })).get(path)
  expect(refused).toMatchObject(problem(403, 'forbidden'))
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${value}"`)
  expect((await clientOf(server, tokenOf('bert', { permissions: [value] })).get(path)).status).toBe(200)
})
