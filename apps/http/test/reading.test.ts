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

test('the status follows the clock', async () => {
  const auction = await openAuction(server)
  const statusAt = async (now: string) => {
    server.clock.set(now)
    return (await auction.read()).status
  }
  expect(await statusAt('2030-01-31T10:59:59.999Z')).toBe('Pending')
  expect(await statusAt('2030-01-31T11:00:00Z')).toBe('Active')
  expect(await statusAt('2030-02-07T11:59:59.999Z')).toBe('Active')
  expect(await statusAt('2030-02-07T12:00:00Z')).toBe('Ended')
})

test.each([
  ['/api/Auctions/9007199254740991', 'auction-not-found'],
  ['/api/Auctions/9007199254740991/Bids', 'auction-not-found'],
  ['/api/Bids/9007199254740991', 'bid-not-found'],
])('%s is 404', async (path, code) => {
  expect(await clientOf(server).get(path)).toMatchObject(problem(404, code))
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

const idsOf = ({ body }: Answer): readonly number[] => body.data.items.map(({ id }: { readonly id: number }) => id)

/** Follows a list to its end. Returns the ids of each page. Calls `meanwhile` after each page. */
async function pagesOf(client: Client, path: string, meanwhile: () => Promise<unknown> = async () => undefined) {
  const found: (readonly number[])[] = []
  let cursor: string | null = null
  do {
    const page: Answer = await client.get(cursor === null ? path : `${path}&cursor=${cursor}`)
    expect(page.status).toBe(200)
    found.push(idsOf(page))
    cursor = page.body.data.nextCursor
    await meanwhile()
  } while (cursor !== null)
  return found
}

describe('a list of auctions', () => {
  /** Creates auctions of one owner; returns their ids, the newest first. */
  async function create(ownerId: number, ...fields: readonly object[]): Promise<readonly number[]> {
    const ids: number[] = []
    for (const each of fields) ids.unshift((await openAuction(server, { ownerId, ...each })).id)
    return ids
  }

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

  test('filters by owner and product', async () => {
    const [ownerId, other, productId] = [newOwner(), newOwner(), newOwner()]
    const [third, second] = await create(ownerId, { productId }, { productId: productId + 1 })
    const [byOther] = await create(other, { productId })
    const list = async (query: string) => idsOf(await clientOf(server).get(`/api/Auctions?${query}`))
    expect(await list(`ownerId=${ownerId}`)).toEqual([third, second])
    expect(await list(`productId=${productId}`)).toEqual([byOther, second])
    expect(await list(`ownerId=${ownerId}&productId=${productId}`)).toEqual([second])
    expect(await list(`ownerId=${newOwner()}`)).toEqual([])
  })

  test('filters by status', async () => {
    const ownerId = newOwner()
    const times = [{ startTime: '2030-02-01T00:00:00Z' }, {}, { endTime: '2030-01-31T12:00:01Z' }, {}]
    const [cancelled = 0, ended, active, pending] = await create(ownerId, ...times)
    await clientOf(server, newCaller(), cancelled).cancelAuction()
    server.clock.advance(1_000)
    const list = async (status: string) =>
      idsOf(await clientOf(server).get(`/api/Auctions?ownerId=${ownerId}&status=${status}`))
    expect([await list('Pending'), await list('Active')]).toEqual([[pending], [active]])
    expect([await list('Ended'), await list('Cancelled')]).toEqual([[ended], [cancelled]])
  })

  test('by end has the earliest first', async () => {
    const ownerId = newOwner()
    const ends = ['2030-02-03T00:00:00Z', '2030-02-01T00:00:00Z', '2030-01-31T12:30:00Z', '2030-02-02T00:00:00Z']
    const [second, , first, third] = await create(ownerId, ...ends.map((endTime) => ({ endTime })))
    server.clock.set('2030-01-31T13:00:00Z')
    const path = `/api/Auctions?ownerId=${ownerId}&status=Active&sort=endTime&limit=2`
    expect(await pagesOf(clientOf(server), path)).toEqual([[first, second], [third]])
  })

  test('by when they ended has the latest end first, a moment after it', async () => {
    const ownerId = newOwner()
    const ends = ['2030-01-31T13:00:01Z', '2030-01-31T13:00:03Z', '2030-01-31T13:00:02Z']
    const [cancelled = 0, bought = 0, second, first, third] = await create(
      ownerId,
      ...ends.map((endTime) => ({ endTime })),
      { buyNowPrice: 500 },
      {},
    )
    await clientOf(server, newCaller(), cancelled).cancelAuction()
    await clientOf(server, newCaller(), bought).buyNow()
    server.clock.set('2030-01-31T13:00:10Z')
    await server.service.closeDue()
    const path = `/api/Auctions?ownerId=${ownerId}&sort=endedTime&limit=2`
    expect(await pagesOf(clientOf(server), `${path}&status=Ended`)).toEqual([
      [first, second],
      [third, bought],
    ])
    expect(await pagesOf(clientOf(server), `${path}&status=Cancelled`)).toEqual([[cancelled]])
  })

  test('by when they ended filters by outcome', async () => {
    const ownerId = newOwner()
    const [cancelled = 0, bought = 0, sold = 0, unsold] = await create(ownerId, {}, {}, { buyNowPrice: 500 }, {})
    await clientOf(server, newCaller(), sold).placeBid()
    await clientOf(server, newCaller(), bought).buyNow()
    await clientOf(server, newCaller(), cancelled).cancelAuction()
    server.clock.set('2030-02-08T13:00:00Z')
    await server.service.closeDue()
    const path = `/api/Auctions?ownerId=${ownerId}&sort=endedTime`
    const list = async (query: string) => (await pagesOf(clientOf(server), `${path}&limit=1&${query}`)).flat()
    for (const status of ['', 'status=Ended&']) {
      expect(await list(`${status}outcome=sold`)).toEqual([sold])
      expect(await list(`${status}outcome=unsold`)).toEqual([unsold])
      expect(await list(`${status}outcome=bought`)).toEqual([bought])
    }
  })

  test('finds titles by all words of a search, without case and accents', async () => {
    const ownerId = newOwner()
    const titles = ['Café table, oak', 'Table of walnut', 'CAFE STRASSE table', 'Tables', 'Żółty Æ table', undefined]
    const [, yellow, tables, streetCafe, walnut, cafe] = await create(ownerId, ...titles.map((title) => ({ title })))
    const found = async (q: string) =>
      (await pagesOf(clientOf(server), `/api/Auctions?ownerId=${ownerId}&limit=2&q=${encodeURIComponent(q)}`)).flat()
    expect(await found('table')).toEqual([yellow, streetCafe, walnut, cafe])
    expect(await found('TABLE café')).toEqual([streetCafe, cafe])
    expect(await found('straße')).toEqual([streetCafe])
    for (const text of ['zolty', 'żółty', 'æ', 'AE']) expect(await found(text)).toEqual([yellow])
    expect(await found('tables')).toEqual([tables])
    expect(await found('tab')).toEqual([])
    const active = await clientOf(server).get(`/api/Auctions?ownerId=${ownerId}&status=Active&q=walnut`)
    expect([idsOf(active), active.body.message]).toEqual([[walnut], 'Auctions on this page: 1, newest first.'])
  })

  test('has 20 per page by default, and a limit of 1 to 100', async () => {
    const anna = clientOf(await startServer())
    for (let count = 0; count < 21; count++) await anna.createAuction()
    const ids = Array.from({ length: 21 }, (_, index) => 21 - index)
    const first = await anna.get('/api/Auctions')
    expect([idsOf(first), first.body.data.nextCursor]).toEqual([ids.slice(0, 20), expect.any(String)])
    const pages = await pagesOf(anna, '/api/Auctions?limit=10')
    expect(pages).toEqual([ids.slice(0, 10), ids.slice(10, 20), ids.slice(20)])
    const last = await anna.get('/api/Auctions?limit=21')
    expect([idsOf(last), last.body.data.nextCursor]).toEqual([ids, null])
    expect(idsOf(await anna.get('/api/Auctions?limit=100'))).toEqual(ids)
  })

  test('neither skips nor repeats an auction while others are created', async () => {
    const ownerId = newOwner()
    const [fifth, fourth, third, second, first] = await create(ownerId, {}, {}, {}, {}, {})
    const found = await pagesOf(clientOf(server), `/api/Auctions?ownerId=${ownerId}&limit=2`, async () => {
      server.clock.advance(1)
      await openAuction(server, { ownerId })
    })
    expect(found).toEqual([[fifth, fourth], [third, second], [first]])
  })

  test('refuses a cursor of the other order', async () => {
    const ownerId = newOwner()
    await create(ownerId, {}, {})
    const byEnd = `/api/Auctions?ownerId=${ownerId}&limit=1&status=Active&sort=endTime`
    const newest = `/api/Auctions?ownerId=${ownerId}&limit=1`
    const ended = `/api/Auctions?ownerId=${ownerId}&limit=1&status=Cancelled&sort=endedTime`
    for (const id of await create(ownerId, {}, {})) await clientOf(server, newCaller(), id).cancelAuction()
    const cursorOfList = async (path: string) => (await clientOf(server).get(path)).body.data.nextCursor
    for (const [path, other] of [
      [newest, byEnd],
      [byEnd, newest],
      [ended, newest],
      [newest, ended],
      [byEnd, ended],
    ] as const) {
      expect(pointersOf(await clientOf(server).get(`${path}&cursor=${await cursorOfList(other)}`))).toEqual(['/cursor'])
    }
  })
})

const cursorOf = (position: string) => Buffer.from(position).toString('base64url')

describe('a list of bids', () => {
  test('has the newest first, and neither skips nor repeats a bid while others bid', async () => {
    const auction = await openAuction(server)
    const ids: number[] = []
    const bid = async () => {
      ids.push((await auction.placeBid({ amount: 100 + 5 * ids.length })).body.data.id)
    }
    for (let count = 0; count < 5; count++) await bid()
    const [first, second, third, fourth, fifth] = ids
    const found = await pagesOf(auction, `/api/Auctions/${auction.id}/Bids?limit=2`, bid)
    expect(found).toEqual([[fifth, fourth], [third, second], [first]])
  })

  test.each([1, 2, 3, 100])('has each automatic bid once in pages of %i', async (limit) => {
    const auction = await openAuction(server)
    await auction.placeBid({ maximumAmount: 200 })
    await auction.placeBid({ bidderId: 3, amount: 120 })
    for (const maximumAmount of [210, 220, 230]) await auction.placeBid({ maximumAmount })
    await auction.placeBid({ bidderId: 4, amount: 130, maximumAmount: 400 })
    const all = (await auction.bids()).map(({ id }) => id)
    expect(all).toHaveLength(5)
    let amount = 500
    const found = await pagesOf(auction, `/api/Auctions/${auction.id}/Bids?limit=${limit}`, () => {
      amount += 10
      return auction.placeBid({ bidderId: 5, amount })
    })
    expect(found.flat()).toEqual(all)
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(limit)
  })

  test('has cursors of the sequence number, which stay valid', async () => {
    const auction = await openAuction(server)
    for (const amount of [100, 105, 110]) await auction.placeBid({ amount })
    const path = `/api/Auctions/${auction.id}/Bids`
    const page = (await auction.get(`${path}?limit=2`)).body.data
    expect(Buffer.from(page.nextCursor, 'base64url').toString()).toBe(`bids/${auction.id} 2`)
    const next = (await auction.get(`${path}?cursor=${page.nextCursor}`)).body.data
    expect([next.items.length, next.items[0].amount, next.nextCursor]).toEqual([1, 100, null])
    const beforeFirst = await auction.get(`${path}?cursor=${cursorOf(`bids/${auction.id} 1`)}`)
    expect(beforeFirst).toMatchObject({ status: 200, body: { data: { items: [], nextCursor: null } } })
  })
})

test('the result is null until the margin for clocks has passed', async () => {
  const { clock, ...withMargin } = await startServer({ environment: { CLOCK_SKEW_SECONDS: '5' } })
  const auction = await openAuction(withMargin, { endTime: '2030-01-31T12:00:10Z' })
  const bid = await auction.placeBid({ amount: 110.5 })
  const readAt = async (now: string) => {
    clock.set(now)
    const { status, result } = await auction.read()
    return { status, result }
  }
  expect(await readAt('2030-01-31T12:00:10Z')).toEqual({ status: 'Ended', result: null })
  expect(await readAt('2030-01-31T12:00:14.999Z')).toEqual({ status: 'Ended', result: null })
  const sold = { outcome: 'sold', bidId: bid.body.data.id, winnerId: 2, price: 110.5 }
  // The server closes auctions each second.
  await expect.poll(() => readAt('2030-01-31T12:00:15Z')).toEqual({ status: 'Ended', result: sold })
  expect(await readAt('2030-01-31T11:30:00Z')).toEqual({ status: 'Ended', result: sold })
})

test('the server closes auctions without a read', async () => {
  const { clock, store, ...unread } = await startServer()
  const auction = await openAuction(unread, { endTime: '2030-01-31T12:00:10Z' })
  clock.set('2030-01-31T12:00:12Z')
  await vi.waitUntil(async () => (await store.findHeads([sampleAuction().id])).length === 1, { timeout: 30_000 })
  expect((await auction.read()).result).toEqual({ outcome: 'unsold', reason: 'no-bids' })
})

test.each([
  ['/api/Auctions?limit=0', ['/limit']],
  ['/api/Auctions?limit=101', ['/limit']],
  ['/api/Auctions?limit=', ['/limit']],
  ['/api/Auctions?limit=010', ['/limit']],
  ['/api/Auctions?limit=1e1', ['/limit']],
  ['/api/Auctions?limit=5&limit=5', ['/limit']],
  ['/api/Auctions?status=active', ['/status']],
  ['/api/Auctions?status=Pending&status=Ended', ['/status']],
  ['/api/Auctions?sort=endTime', ['/sort']],
  ['/api/Auctions?sort=endTime&status=Ended', ['/sort']],
  ['/api/Auctions?sort=endedTime', ['/sort']],
  ['/api/Auctions?sort=endedTime&status=Active', ['/sort']],
  ['/api/Auctions?outcome=sold', ['/outcome']],
  ['/api/Auctions?outcome=sold&status=Ended', ['/outcome']],
  ['/api/Auctions?outcome=sold&sort=endTime&status=Active', ['/outcome']],
  ['/api/Auctions?outcome=sold&sort=endedTime&status=Cancelled', ['/outcome']],
  ['/api/Auctions?outcome=sold&sort=endedTime&status=Active', ['/sort', '/outcome']],
  ['/api/Auctions?outcome=cancelled&sort=endedTime', ['/outcome']],
  ['/api/Auctions?sort=endTime&status=Active&q=desk', ['/sort']],
  ['/api/Auctions?sort=endedTime&status=Ended&q=desk', ['/sort']],
  ['/api/Auctions?q=', ['/q']],
  ['/api/Auctions?q=%20-%20', ['/q']],
  ['/api/Auctions?q=1+2+3+4+5+6+7+8+9', ['/q']],
  ['/api/Auctions?q=desk&q=lamp', ['/q']],
  [`/api/Auctions?q=${'x'.repeat(201)}`, ['/q']],
  ['/api/Auctions?sort=price&status=Active', ['/sort']],
  ['/api/Auctions?ownerId=0', ['/ownerId']],
  ['/api/Auctions?ownerId=01', ['/ownerId']],
  ['/api/Auctions?productId=x', ['/productId']],
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
  await openAuction(server)
  const answer = await clientOf(server).get(path)
  expect(answer).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(answer)).toEqual(pointers)
})

test('the first 20 errors of a query are listed, those of known parameters first', async () => {
  const unknown = Array.from({ length: 40 }, (_, index) => `p${index}${'x'.repeat(150)}=1`)
  const refused = await clientOf(server).get(`/api/Auctions?${unknown.join('&')}&limit=0`)
  expect(refused).toMatchObject(problem(400, 'validation-failed', { moreErrors: 21 }))
  expect(refused.body.message).toBe('41 fields are missing or invalid; the first 20 are listed.')
  expect(pointersOf(refused)).toHaveLength(20)
  expect(pointersOf(refused).slice(0, 2)).toEqual(['/limit', `/p0${'x'.repeat(98)}…`])
})

describe('permissions', async () => {
  const restricted = await serverOfFile({
    environment: { PERMISSIONS_AUCTIONS_READ: 'see:auctions', PERMISSIONS_BIDS_READ: 'see:bids' },
  })
  const holding = (...granted: readonly string[]) => tokenOf('bert', { permissions: granted })

  test.each(['/api/Auctions', '/api/Auctions/{id}', '/api/Bids/{bid}', '/api/Auctions/{id}/Bids'])(
    'of %s',
    async (path) => {
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
    },
  )
})
