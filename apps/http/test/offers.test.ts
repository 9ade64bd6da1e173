import { describe, expect, test } from 'vitest'
import { ringAuction } from '../src/api/operations/example-data.ts'
import { type ApiResponse, clientOf, newCaller, openAuction, problem } from './support/client.ts'
import { openStream } from './support/event-stream.ts'
import { startServer } from './support/server.ts'
import { bidderReader, correcting, correctingOwn, forcing, managing, permissions, tokenOf } from './support/tokens.ts'

const later = { startTime: '2030-03-01T12:00:00Z', endTime: '2030-03-08T12:00:00Z' }

const tokenOfUser = (uid: number, more: readonly string[] = []) =>
  tokenOf(`user ${uid}`, { uid, permissions: [...permissions, correctingOwn, ...more] })
const staff = tokenOfUser(90, [managing, bidderReader])

/** A server with an auction of user 4 that has ended after bids of the users 2, 3 and 9, of whom 9 is the highest. */
async function serveEnded(fields: object = {}, environment: Readonly<Record<string, string>> = {}) {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid', ...environment } })
  const auction = await openAuction(server, { ...fields, ownerId: 4 }, tokenOfUser(4))
  for (const [bidderId, amount] of [
    [3, 120],
    [2, 150],
    [9, 200],
  ] as const)
    expect((await auction.as(tokenOfUser(bidderId)).placeBid({ bidderId, amount })).status).toBe(201)
  server.clock.set('2030-02-07T12:00:02Z')
  await server.service.closeDue()
  const path = `/api/Auctions/${auction.id}`
  const { post } = auction.as(staff)
  const offer = (excludedBidderIds: readonly number[], more: object = {}) =>
    post(`${path}/Offers`, { excludedBidderIds, endTime: later.endTime, ...more })
  const relist = (more: object = {}) => post(`${path}/Relisting`, { ...later, ...more })
  return { server, auction, path, offer, relist }
}

describe('relistings and offers', () => {
  test('are new auctions, or the same again', async () => {
    const { offer, relist, auction } = await serveEnded()
    const made = await offer([9])
    expect(made).toMatchObject({ status: 201, body: { data: { offeredTo: 2, startingPrice: 125, status: 'Pending' } } })
    const { id } = made.body.data
    expect(made.headers.get('location')).toBe(`/api/Auctions/${id}`)
    const again = await offer([9], { price: 7 })
    expect(again.body.data).toEqual(made.body.data)
    expect(again.body.message).toBe(`Auction ${auction.id} had been offered to its next bidder as auction ${id}.`)
    expect(await relist()).toMatchObject(problem(409, 'auction-has-offer', { offerId: id }))
    const bought = (uid: number) =>
      auction.as(tokenOfUser(uid)).post(`/api/Auctions/${id}/Purchase`, { buyerId: uid, atMost: 125 })
    expect(await bought(3)).toMatchObject(problem(409, 'not-admitted'))
    expect(await bought(2)).toMatchObject({ status: 201, body: { data: { result: { buyerId: 2, price: 125 } } } })
    const relisted = await relist({ title: 'Desk' })
    expect(relisted).toMatchObject({ status: 201, body: { data: { relistOf: auction.id, title: 'Desk', ...later } } })
    expect((await relist({ title: 'Desk' })).body).toEqual(relisted.body)
    const refused = problem(409, 'auction-relisted', { relistedAs: relisted.body.data.id })
    expect([await relist(), await offer([9, 3])]).toMatchObject([refused, refused])
  })

  test('are for staff', async () => {
    const { auction, path } = await serveEnded()
    for (const action of ['Relisting', 'Offers'])
      expect(await auction.post(`${path}/${action}`, {})).toMatchObject(problem(403, 'forbidden'))
  })

  test('do not tell who has bid, if ids are hidden', async () => {
    const { auction, path, offer } = await serveEnded({}, { PSEUDONYM_SECRET: 'a secret of the tests, of 32 bytes.' })
    const { post } = auction.as(tokenOfUser(91, [managing]))
    const fields = { excludedBidderIds: [9], endTime: later.endTime }
    expect(await post(`${path}/Offers`, fields)).toMatchObject(problem(403, 'forbidden'))
    expect((await offer([9])).body.data.offeredTo).toBe(2)
  })
})

describe('an offer of an auction with sealed bids', () => {
  const replaced = { description: undefined, ...ringAuction }
  // Staff without the permission for it may cancel and correct any auction that they know.
  const strangers = [
    ...[
      { title: 'other bidder', uid: 3 },
      { title: 'seller', uid: 4 },
      { title: 'stranger', uid: 8 },
    ],
    { title: 'other staff', uid: 92, more: [correcting, forcing] },
  ]

  test.each(strangers)('does not exist for the $title', async ({ uid, more }) => {
    const { server, offer } = await serveEnded(replaced)
    const made = await offer([9])
    expect(made).toMatchObject({ status: 201, body: { data: { offeredTo: 2, startingPrice: 120 } } })
    const missing = made.body.data.id + 1
    const token = tokenOfUser(uid, more)
    const client = clientOf(server, token)
    const seen = async (id: number) => {
      const path = `/api/Auctions/${id}`
      const post = (action: string, body: object) => client.post(`${path}/${action}`, body)
      const stream = { headers: { accept: 'text/event-stream' } }
      const responses = [
        ...[await client.get(path), await client.get(`${path}?at=0`), await client.get(`${path}/Bids`)],
        ...[await client.get(`${path}/Repairs`), await client.get(`${path}/Events`)],
        ...[await client.get(`${path}/Events?after=9`), await client.send('GET', `${path}/Events`, stream)],
        await client.send('GET', `${path}/Events?after=0`, stream),
        ...[await client.get(`/api/Auctions?ids=${id}`), await client.get(`/api/Auctions/Events?ids=${id}`)],
        ...[await post('Purchase', { buyerId: uid, atMost: 500 }), await post('Purchase', { buyerId: uid })],
        ...[await post('Bids', { bidderId: uid, amount: 500 }), await post('Withdrawal', { bidderId: uid })],
        ...[
          await post('Cancellation', {}),
          await client.post('/api/Bids', { auctionId: id, bidderId: uid, amount: 1 }),
        ],
        ...[await post('Reserve', { reservePrice: 0 }), await post('Cancellation', { reason: 'x' })],
        await client.patch(path, { title: 'x' }, { 'if-match': '*' }),
      ]
      const { text, rest } = await openStream(server, `/api/Auctions/Events?ids=${id}`, token)
      await rest()
      return [...responses.map((response) => shownOf(response, id)), withoutId(text(), id).replace(/retry: \d+/, '')]
    }
    expect(await seen(made.body.data.id)).toEqual(await seen(missing))
    // A cursor after which the list is empty would show it, too.
    const other = await clientOf(server, tokenOfUser(4)).createAuction({ ownerId: 4, endTime: later.endTime })
    const page = (await client.get('/api/Auctions?limit=1&status=Active')).body.data
    expect(page).toMatchObject({ items: [{ id: other.body.data.id }], nextCursor: null })
    const lists = ['', '&status=Active', '&status=Active&sort=endTime', '&ownerId=4', '&q=ring']
    for (const query of lists) {
      const { body } = await client.get(`/api/Auctions?limit=5${query}`)
      expect(body.data.items.map(({ id }: { readonly id: number }) => id)).not.toContain(made.body.data.id)
    }
  })

  test('is seen, followed and bought by its bidder, and by staff', async () => {
    const { server, offer } = await serveEnded(replaced)
    const { id } = (await offer([9])).body.data
    const path = `/api/Auctions/${id}`
    const [recipient, byStaff] = [clientOf(server, tokenOfUser(2)), clientOf(server, staff)]
    const stream = await openStream(server, `${path}/Events`, tokenOfUser(2))
    const list = await openStream(server, `/api/Auctions/Events?ids=${id}`, tokenOfUser(2))
    expect((await list.next())?.event).toBe('auction')
    for (const { get } of [recipient, byStaff]) {
      expect(await get(path)).toMatchObject({ status: 200, body: { data: { nextPrice: null, currentPrice: 120 } } })
      expect((await get('/api/Auctions?limit=1&status=Active')).body.data.items).toMatchObject([{ id }])
    }
    expect((await recipient.post(`${path}/Purchase`, { buyerId: 2, atMost: 120 })).status).toBe(201)
    expect((await stream.rest()).map(({ event }) => event)).toEqual(['snapshot', 'ended'])
    const bids = (client: typeof recipient) => client.get('/api/Bids?bidderId=2')
    const [purchase] = (await bids(recipient)).body.data.items
    expect(purchase).toMatchObject({ auction: { id }, standing: 'won' })
    const ofBid = `/api/Bids/${purchase.id}`
    const stranger = clientOf(server, newCaller({ uid: 8 }))
    expect((await recipient.get(ofBid)).status).toBe(200)
    expect((await stranger.get(ofBid)).status).toBe(404)
    expect((await bids(stranger)).body.data.items).toEqual([])
    expect((await bids(byStaff)).body.data.items).toMatchObject([{ auction: { id } }])
  })
})

const withoutId = (text: string, id: number) => text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#')

/** What a client receives, but for the id, the time and the limits. */
function shownOf({ status, headers, text }: ApiResponse, id: number) {
  const { date: _, 'x-request-id': __, ratelimit: ___, ...others } = Object.fromEntries(headers)
  return [status, others, withoutId(text, id)]
}
