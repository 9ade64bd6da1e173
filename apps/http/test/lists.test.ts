import { describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, clientOf, openAuction, pointersOf, problem } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'

const server = await serverOfFile()

let owners = 100

/** An owner without auctions, so that its list has only the auctions of one test. */
const newOwner = (): number => ++owners

const idsOf = ({ body }: ApiResponse): readonly number[] => body.data.items.map(({ id }: { readonly id: number }) => id)

/** Follows a list to its end. Returns the ids of each page. */
async function pagesOf(client: Client, path: string) {
  const pages: (readonly number[])[] = []
  let cursor: string | null = null
  do {
    const page: ApiResponse = await client.get(cursor === null ? path : `${path}&cursor=${cursor}`)
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
  const response = await clientOf(server).get(path)
  expect(response).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(response)).toEqual(pointers)
})
