import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ApiResponse, clientOf, openAuction, pointersOf, problem } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const server = await serverOfFile()
const reader = clientOf(server)

let users = 1_000

/** A bidder without bids. */
const newBidder = (): number => ++users

const itemsOf = ({ body }: ApiResponse) => body.data.items

describe('the bids of a bidder', () => {
  test('are those that the user placed in all auctions, newest first, with the auction of each', async () => {
    const [bidderId, rivalId] = [newBidder(), newBidder()]
    const [lost, led] = [await openAuction(server, { title: 'Desk' }), await openAuction(server, { title: 'Chair' })]
    const first = await lost.placeBid({ bidderId })
    await lost.placeBid({ bidderId: rivalId, amount: 120 })
    const second = await led.placeBid({ bidderId, maximumAmount: 300 })
    await led.placeBid({ bidderId: rivalId, amount: 150 })
    await led.placeBid({ bidderId, amount: 1, maximumAmount: 400 })
    const page = await reader.get(`/api/Bids?bidderId=${bidderId}`)
    const bid = ({ body: { data } }: ApiResponse, auctionId: number) => {
      return { id: data.id, auctionId, bidderId, amount: 100, timestamp: data.timestamp }
    }
    const terms = {
      currency: 'USD',
      endTime: '2030-02-07T12:00:00Z',
      effectiveEndTime: '2030-02-07T12:00:00Z',
      status: 'Active',
      result: null,
      endedAt: null,
    }
    const { now: _, ...body } = page.body
    expect(body).toEqual({
      success: true,
      message: 'Bids on this page: 2, newest first.',
      data: {
        items: [
          {
            ...bid(second, led.id),
            standing: 'leading',
            auction: { id: led.id, title: 'Chair', ...terms, currentPrice: 155, minimumNextBid: 160 },
          },
          {
            ...bid(first, lost.id),
            standing: 'outbid',
            auction: { id: lost.id, title: 'Desk', ...terms, currentPrice: 120, minimumNextBid: 125 },
          },
        ],
        nextCursor: null,
      },
    })
  })

  test('include their purchases, which can be read by their ids', async () => {
    const buyerId = newBidder()
    const auction = await openAuction(server, { buyNowPrice: 500 })
    const bought = await auction.buyNow({ buyerId })
    const [{ standing, auction: summary, ...purchase }] = itemsOf(await reader.get(`/api/Bids?bidderId=${buyerId}`))
    const { endedAt: timestamp, result } = bought.body.data
    const [id, auctionId] = [expect.any(Number), auction.id]
    expect(purchase).toEqual({ id, auctionId, bidderId: buyerId, amount: 500, timestamp, purchase: true })
    expect([standing, summary.result, summary.minimumNextBid]).toEqual(['won', result, null])
    const read = await reader.get(`/api/Bids/${purchase.id}`)
    expect(read.body).toMatchObject({ message: `Auction ${auction.id} was bought.`, data: purchase })
    expect(read.body.data).toEqual(purchase)
    expect(await auction.bids()).toEqual([])
  })

  test('are an empty page for a user who has not bid', async () => {
    const page = await reader.get(`/api/Bids?bidderId=${newBidder()}`)
    expect(page).toMatchObject({ status: 200, body: { data: { items: [], nextCursor: null } } })
  })

  const anInteger = 'must be an integer from 1 to 9007199254740991'
  test.each([
    { query: '', pointer: '/bidderId', message: 'is required' },
    { query: '?bidderId=0', pointer: '/bidderId', message: anInteger },
    { query: '?bidderId=anna', pointer: '/bidderId', message: anInteger },
    { query: '?bidderId=2&bidderId=3', pointer: '/bidderId', message: 'must not be repeated' },
    { query: '?bidderId=2&limit=101', pointer: '/limit', message: 'must be an integer from 1 to 100' },
    {
      query: '?bidderId=2&auctionId=1',
      pointer: '/auctionId',
      message: 'is not a known query parameter; known parameters are bidderId, limit, cursor',
    },
    { query: '?bidderId=2&cursor=x', pointer: '/cursor', message: 'must be a nextCursor returned by this list' },
  ])('are 400 for the query "$query"', async ({ query, pointer, message }) => {
    const response = await reader.get(`/api/Bids${query}`)
    expect(response).toMatchObject(problem(400, 'validation-failed', { errors: [{ pointer, message }] }))
  })

  test('do not accept the cursor of another bidder or another list', async () => {
    const [bidderId, rivalId] = [newBidder(), newBidder()]
    const auction = await openAuction(server)
    await auction.placeBid({ bidderId })
    await auction.placeBid({ bidderId: rivalId, amount: 110 })
    await auction.placeBid({ bidderId, amount: 120 })
    const cursorOf = async (path: string) => (await reader.get(path)).body.data.nextCursor
    const own = await cursorOf(`/api/Bids?bidderId=${bidderId}&limit=1`)
    const ofAuction = await cursorOf(`/api/Auctions/${auction.id}/Bids?limit=1`)
    const responses = [
      await reader.get(`/api/Bids?bidderId=${rivalId}&cursor=${own}`),
      await reader.get(`/api/Bids?bidderId=${bidderId}&cursor=${ofAuction}`),
      await reader.get(`/api/Auctions/${auction.id}/Bids?cursor=${own}`),
      await reader.get(`/api/Auctions?cursor=${own}`),
    ]
    for (const response of responses) {
      expect(response.status).toBe(400)
      expect(pointersOf(response)).toEqual(['/cursor'])
    }
    expect((await reader.get(`/api/Bids?bidderId=${bidderId}&cursor=${own}`)).status).toBe(200)
  })

  test('are visible only to those who may see the ids of bidders', async () => {
    const hiding = await startServer({
      environment: {
        JWT_SUBJECT_CLAIM: 'uid',
        PSEUDONYM_SECRET: randomBytes(32).toString('base64'),
        PERMISSIONS_BIDDERS_READ: 'see-bidders',
      },
    })
    const as = (uid: number, claims: object = {}) => tokenOf(`user-${uid}`, { uid, ...claims })
    const auction = await openAuction(hiding, {}, as(1))
    await auction.as(as(2)).placeBid()
    const statusOf = async (token: string, bidderId = 2) =>
      (await auction.as(token).get(`/api/Bids?bidderId=${bidderId}`)).status
    expect([await statusOf(as(2)), await statusOf(as(9, { scope: 'see-bidders' }))]).toEqual([200, 200])
    // Whether the user has bid, or exists, makes no difference.
    for (const bidderId of [2, 999]) {
      expect([await statusOf(as(1), bidderId), await statusOf(tokenOf('carl'), bidderId)]).toEqual([403, 403])
    }
  })
})

describe('auctions by their ids', () => {
  const idsOf = (response: ApiResponse) => itemsOf(response).map(({ id }: { readonly id: number }) => id)

  test('are those that exist, in the order requested, as lists have them', async () => {
    const [a, b] = [await openAuction(server), await openAuction(server, { description: 'It is old.' })]
    await a.placeBid()
    const response = await reader.get(`/api/Auctions?ids=${b.id},9007199254740991,${a.id}`)
    expect(response.body).toMatchObject({ message: 'Auctions on this page: 2, in the order requested.' })
    expect(idsOf(response)).toEqual([b.id, a.id])
    expect(response.body.data.nextCursor).toBe(null)
    const { items } = (await reader.get('/api/Auctions?limit=2')).body.data
    expect(itemsOf(response)).toEqual(items)
    expect(itemsOf(await reader.get('/api/Auctions?ids=9007199254740991'))).toEqual([])
  })

  test('may be up to 100', async () => {
    const auction = await openAuction(server)
    const others = Array.from({ length: 99 }, (_, index) => 1e15 + index)
    expect(idsOf(await reader.get(`/api/Auctions?ids=${[...others, auction.id]}`))).toEqual([auction.id])
  })

  const rule = 'must be 1 to 100 different auction ids, separated by commas, such as 3,5,8'
  const tooMany = Array.from({ length: 101 }, (_, index) => index + 1).join()
  test.each([
    ...['', ',', '1,', '1,,2', '0', '01', '1,x', '1,-2', '1.5', '1, 2', '1;2', '9007199254740992', '1,1', tooMany].map(
      (ids) => [`ids=${ids}`, rule],
    ),
    ['ids=1&ids=2', 'must not be repeated'],
    ...['limit=20', 'status=Active', 'ownerId=1', 'productId=7', 'sort=endTime&status=Active'].map((other) => [
      `ids=1&${other}`,
      'must be the only parameter',
    ]),
  ])('are 400 for %s', async (query, message) => {
    const response = await reader.get(`/api/Auctions?${query}`)
    expect(response).toMatchObject(problem(400, 'validation-failed', { errors: [{ pointer: '/ids', message }] }))
  })

  test('do not accept a cursor', async () => {
    await openAuction(server)
    await openAuction(server)
    const { nextCursor } = (await reader.get('/api/Auctions?limit=1')).body.data
    expect(pointersOf(await reader.get(`/api/Auctions?ids=1&cursor=${nextCursor}`))).toEqual(['/ids'])
  })
})
