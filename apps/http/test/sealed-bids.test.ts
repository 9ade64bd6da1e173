import { createMemorySealer } from '@auction/adapters/memory'
import type { Sealer } from '@auction/domain'
import { describe, expect, test } from 'vitest'
import { ringAuction } from '../src/api/operations/example-data.ts'
import {
  type AuctionClient,
  anonymousOf,
  clientOf,
  newCaller,
  openAuction,
  pointersOf,
  problem,
} from './support/client.ts'
import { openStream } from './support/event-stream.ts'
import { serverOfFile, startServer, type TestServer } from './support/server.ts'
import { correctingOwn, forcing, managing, permissions } from './support/tokens.ts'

const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })

/** After the margin for clock differences. */
const dueTime = '2030-02-07T12:00:02Z'

const userToken = (uid: number, more: readonly string[] = []) =>
  newCaller({ uid, permissions: [...permissions, ...more] })

async function openSealed(fields: object = {}, server: TestServer = bound) {
  const seller = await openAuction(server, replaced(fields), userToken(4))
  const tokens = new Map<number, string>()
  const as = (uid: number) => {
    const token = tokens.get(uid) ?? userToken(uid)
    tokens.set(uid, token)
    return seller.as(token)
  }
  return { seller, as, staff: seller.as(userToken(9, [managing])) }
}

/** `createAuction` of the client adds fields of an English auction, so that they are taken back here. */
const replaced = (fields: object) => ({ description: undefined, ...ringAuction, ...fields })

const bidAs = async (auction: AuctionClient, bidderId: number, amount: number) => {
  const placed = await auction.placeBid({ bidderId, amount })
  expect(placed.status, placed.text).toBe(201)
  return placed.body.data
}

const withdrawOwn = (auction: AuctionClient, bidderId: number) =>
  auction.post(`/api/Auctions/${auction.id}/Withdrawal`, { bidderId })

const close = async (server: TestServer = bound) => {
  server.clock.set(dueTime)
  await server.service.closeDue()
}

describe('a sealed bid', () => {
  test('is returned to its bidder, without who leads', async () => {
    const { as } = await openSealed()
    const placed = await bidAs(as(2), 2, 150.5)
    expect(placed).toEqual({
      ...{ id: placed.id, auctionId: as(2).id, bidderId: 2, amount: 150.5 },
      timestamp: '2030-01-31T12:00:00.000Z',
    })
    expect((await as(2).get(`/api/Bids/${placed.id}`)).body.data).toEqual(placed)
  })

  test('can be lower than others, and than earlier ones, down to the starting price', async () => {
    const { as } = await openSealed()
    await bidAs(as(2), 2, 150)
    await bidAs(as(3), 3, 120)
    await bidAs(as(2), 2, 100)
    expect(await as(3).placeBid({ bidderId: 3, amount: 99.99 })).toMatchObject(
      problem(409, 'bid-too-low', {
        ...{ minimumNextBid: 100, currency: 'USD' },
        message: 'The bid is too low; the lowest that the auction takes is 100 USD.',
      }),
    )
    const proxied = await as(2).placeBid({ bidderId: 2, amount: 100, maximumAmount: 200 })
    expect([proxied.status, pointersOf(proxied)]).toEqual([400, ['/maximumAmount']])
  })

  test('is seen by its bidder only, in every read', async () => {
    const { as, seller, staff } = await openSealed()
    const own = await bidAs(as(2), 2, 150)
    await bidAs(as(3), 3, 160)
    await bidAs(as(2), 2, 140)
    expect((await as(2).bids()).map(({ amount }) => amount)).toEqual([140, 150])
    expect((await as(2).read()).youBid).toBe(140)
    expect((await as(5).read()).youBid).toBeNull()
    const listed = await as(2).get('/api/Bids?bidderId=2&limit=2')
    expect(listed.body.data.items).toMatchObject([
      { amount: 140, standing: 'sealed', auction: { id: seller.id, format: 'sealed' } },
      { amount: 150, standing: 'sealed' },
    ])
    for (const other of [as(3), seller, staff]) {
      expect((await other.get(`/api/Bids/${own.id}`)).body.code).toBe('bid-not-found')
      expect((await other.bids()).map(({ bidderId }) => bidderId)).not.toContain(2)
      const { items } = (await other.get('/api/Bids?bidderId=2&limit=100')).body.data
      expect(items.filter(({ auctionId }: { readonly auctionId: number }) => auctionId === seller.id)).toEqual([])
    }
  })

  test('is found page by page by its bidder', async () => {
    const { as } = await openSealed()
    for (const amount of [101, 102, 103]) {
      await bidAs(as(2), 2, amount)
      await bidAs(as(3), 3, amount + 50)
    }
    const amounts: unknown[] = []
    let cursor = ''
    do {
      const { body } = await as(2).get(`/api/Auctions/${as(2).id}/Bids?limit=1${cursor}`)
      amounts.push(body.data.items.map((bid: { readonly amount: number }) => bid.amount))
      cursor = body.data.nextCursor === null ? '' : `&cursor=${body.data.nextCursor}`
    } while (cursor !== '')
    expect(amounts).toEqual([[103], [102], [101]])
  })

  test('is withdrawn by its bidder, and marked in their reads', async () => {
    const { as } = await openSealed()
    const { id } = await bidAs(as(2), 2, 150)
    const { status, body } = await withdrawOwn(as(2), 2)
    expect([status, body.data.youBid]).toEqual([200, null])
    expect((await as(2).get(`/api/Bids/${id}`)).body.data).toMatchObject({ amount: 150, withdrawn: true })
    expect(await as(2).bids()).toMatchObject([{ id, withdrawn: true }])
    expect((await as(2).get('/api/Bids?bidderId=2&limit=2')).body.data.items).toMatchObject([
      { id, withdrawn: true, standing: 'withdrawn' },
    ])
    expect(await withdrawOwn(as(2), 2)).toMatchObject(problem(409, 'no-bids-of-bidder'))
    await bidAs(as(2), 2, 130)
    expect((await as(2).read()).youBid).toBe(130)
    expect(await as(2).bids()).toMatchObject([{ amount: 130 }, { id, withdrawn: true }])
  })

  test('is withdrawn only by its bidder without a reason', async () => {
    const { as, staff } = await openSealed()
    await bidAs(as(2), 2, 150)
    expect(await withdrawOwn(as(3), 2)).toMatchObject(problem(403, 'forbidden'))
    const byStaff = await withdrawOwn(staff, 2)
    expect([byStaff.status, pointersOf(byStaff)]).toEqual([400, ['/reason']])
    const reasoned = await as(2).post(`/api/Auctions/${as(2).id}/Withdrawal`, { bidderId: 2, reason: 'Mine.' })
    expect(reasoned).toMatchObject(problem(403, 'forbidden'))
  })

  test('cannot be withdrawn by a bidder of an auction with another format', async () => {
    const english = await openAuction(bound, { ownerId: 4 }, userToken(4))
    expect(await withdrawOwn(english.as(userToken(2)), 2)).toMatchObject(problem(409, 'not-in-format'))
  })
})

describe('the result of an auction with sealed bids', () => {
  test('is the second price and the number of bidders; bids stay secret', async () => {
    const { as, seller } = await openSealed()
    const winning = await bidAs(as(2), 2, 150)
    await bidAs(as(3), 3, 120)
    await bidAs(as(5), 5, 500)
    await withdrawOwn(as(5), 5)
    await close()
    const { status, result, youBid } = await as(2).read()
    const sold = { outcome: 'sold', bidId: winning.id, winnerId: 2, price: 120, bidderCount: 2 }
    expect([status, result, youBid]).toEqual(['Ended', sold, 150])
    expect(await seller.bids()).toEqual([])
    expect((await seller.get(`/api/Bids/${winning.id}`)).status).toBe(404)
    const { items } = (await as(3).get('/api/Bids?bidderId=3&limit=1')).body.data
    expect(items).toMatchObject([{ amount: 120, standing: 'lost' }])
  })

  test('reveals the last bid of each bidder if the seller chose that', async () => {
    const { as, seller } = await openSealed({ pricing: 'first', reveal: 'bids' })
    const replacedBid = await bidAs(as(2), 2, 110)
    await bidAs(as(3), 3, 130)
    const last = await bidAs(as(2), 2, 150)
    await bidAs(as(5), 5, 500)
    await withdrawOwn(as(5), 5)
    expect(await seller.bids()).toEqual([])
    await close()
    expect((await seller.read()).result).toMatchObject({ price: 150, winnerId: 2 })
    expect((await seller.bids()).map(({ bidderId, amount }) => [bidderId, amount])).toEqual([
      [2, 150],
      [3, 130],
    ])
    const first = await seller.get(`/api/Auctions/${seller.id}/Bids?limit=1`)
    const { body } = await seller.get(`/api/Auctions/${seller.id}/Bids?limit=1&cursor=${first.body.data.nextCursor}`)
    expect(body.data).toMatchObject({ items: [{ bidderId: 3 }], nextCursor: null })
    expect((await seller.get(`/api/Bids/${last.id}`)).status).toBe(404)
    expect((await as(2).get(`/api/Bids/${replacedBid.id}`)).body.data.amount).toBe(110)
  })

  test('ends the stream, in which bids left no trace', async () => {
    const { as, staff } = await openSealed()
    const stream = await openStream(bound, `/api/Auctions/${as(2).id}/Events`, userToken(7))
    await bidAs(as(2), 2, 150)
    await bidAs(as(3), 3, 120)
    const reasoned = { bidderId: 3, reason: 'Asked for it.' }
    expect((await staff.post(`/api/Auctions/${staff.id}/Withdrawal`, reasoned)).status).toBe(200)
    await close()
    const events = await stream.rest()
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['snapshot', 0],
      ['withdrawn', 1],
      ['ended', 2],
    ])
    expect(events[1]?.data).toEqual({
      ...{ auctionId: as(2).id, sequence: 1, by: 'staff', ...reasoned },
      ...{ effectiveEndTime: ringAuction.endTime, timestamp: '2030-01-31T12:00:00.000Z' },
    })
    expect((await as(2).get(`/api/Auctions/${as(2).id}?at=1`)).body.data).toMatchObject({ result: null })
  })
})

test('the entity tag of a read and of a correction is that which the next correction needs', async () => {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
  const seller = await openAuction(server, replaced({}), userToken(4, [correctingOwn]))
  server.clock.set('2030-01-31T10:59:00Z')
  const path = `/api/Auctions/${seller.id}`
  let tag = (await seller.get(path)).headers.get('etag') ?? ''
  for (const title of ['Old ring', 'Gold ring']) {
    const corrected = await seller.patch(path, { title }, { 'if-match': tag })
    expect([corrected.status, corrected.body.data.youBid]).toEqual([200, null])
    tag = corrected.headers.get('etag') ?? ''
  }
})

test('a caller who is no user reads no sealed bid, and withdraws for any', async () => {
  const server = await startServer()
  const { seller } = await openSealed({}, server)
  const { id } = await bidAs(seller, 2, 150)
  expect((await seller.get(`/api/Bids/${id}`)).status).toBe(404)
  expect(await seller.bids()).toEqual([])
  expect(await seller.read()).not.toHaveProperty('youBid')
  const withdrawn = await withdrawOwn(seller, 2)
  expect([withdrawn.status, 'youBid' in withdrawn.body.data]).toEqual([200, false])
  expect((await withdrawOwn(seller, 2)).body.code).toBe('no-bids-of-bidder')
})

test('an earlier state is not read before the result', async () => {
  const { seller } = await openSealed()
  const read = await seller.get(`/api/Auctions/${seller.id}?at=0`)
  expect([read.status, pointersOf(read)]).toEqual([400, ['/at']])
})

describe('without the key', () => {
  const withSealer = (sealer: Sealer) => startServer({ sealer, environment: { JWT_SUBJECT_CLAIM: 'uid' } })

  test('no sealed auction is created, and the response names the setting', async () => {
    const server = await withSealer({ ...createMemorySealer(), fingerprint: undefined })
    const created = await clientOf(server, userToken(4)).createAuction(replaced({}))
    expect(created).toMatchObject({ status: 400, body: { errors: [{ pointer: '/format' }] } })
    expect(created.body.errors[0].message).toContain('SEALED_BIDS_KEY')
  })

  test('bids and own reads are unavailable, and all else works', async () => {
    let hasKey = true
    const sealer = createMemorySealer()
    const missing = createMemorySealer('another')
    const server = await withSealer({
      ...sealer,
      has: (name) => hasKey && sealer.has(name),
      open: (sealed, context) => (hasKey ? sealer : missing).open(sealed, context),
    })
    const { as } = await openSealed({}, server)
    const { id } = await bidAs(as(2), 2, 150)
    const { seller: cancelled } = await openSealed({}, server)
    await bidAs(cancelled.as(userToken(2)), 2, 150)
    hasKey = false
    const byStaff = await cancelled.as(userToken(9, [forcing])).cancelAuction({ reason: 'Its key is lost.' })
    expect([byStaff.status, byStaff.body.data.status]).toEqual([201, 'Cancelled'])
    const refused = await as(2).placeBid({ bidderId: 2, amount: 160 })
    expect(refused).toMatchObject(problem(503, 'sealed-bids-unavailable'))
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await as(2).get('/api/Bids?bidderId=2')).body.data.items).toEqual([])
    for (const path of [`/api/Bids/${id}`, `/api/Auctions/${as(2).id}/Bids`])
      expect(await as(2).get(path)).toMatchObject(problem(503, 'sealed-bids-unavailable'))
    expect(await as(2).get(`/api/Auctions/${as(2).id}`)).toMatchObject(problem(503, 'sealed-bids-unavailable'))
    expect((await as(3).get(`/api/Auctions/${as(2).id}`)).body.data).toMatchObject({ status: 'Active', youBid: null })
    await close(server)
    expect((await as(3).read()).result).toBeNull()
    expect(server.log.join('')).toContain('an auction has no result, because a sealed bid cannot be opened')
    expect((await anonymousOf(server).get('/readyz')).status).toBe(200)
    hasKey = true
    await server.service.closeDue()
    expect((await as(2).read()).result).toMatchObject({ outcome: 'sold', price: 100 })
  })
})
