import { describe, expect, test } from 'vitest'
import { clientOf, newCaller, openAuction, pointersOf, problem } from './support/client.ts'
import { openStream } from './support/event-stream.ts'
import { serverOfFile, startServer, type TestServer } from './support/server.ts'
import { managing, permissions, registering, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()
const staff = [...permissions, ...registering, managing]
const newStaff = () => clientOf(server, newCaller({ permissions: staff }))

/** Callers are bound to users, and a claim may admit them. */
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid', JWT_ADMISSION_CLAIM: 'admitted' } })
const userOf = (uid: number, claims: object = {}) => tokenOf(`user-${uid}`, { uid, permissions, ...claims })

async function registerOn(on: TestServer, fields: object = {}) {
  const clerk = clientOf(on, tokenOf('clerk', { uid: 9, permissions: staff }))
  const created = await clerk.post('/api/Registers', { currency: 'USD', admits: 'listed', ...fields })
  const id = Number(Object(created.body.data).id)
  const list = (bidderId: number, entry: object, headers = {}) =>
    clerk.put(`/api/Registers/${id}/Bidders/${bidderId}`, entry, headers)
  return { id, clerk, list, created }
}

describe('a register', () => {
  test('is created once, read with its counts, and listed', async () => {
    const anna = newStaff()
    const fields = { title: 'Coins', currency: 'JPY', admits: 'everyone', metadata: { room: 'A' } }
    const created = await anna.post('/api/Registers', fields, { 'idempotency-key': 'r' })
    const { data } = created.body
    const id = Number(Object(data).id)
    expect([created.status, created.headers.get('location')]).toEqual([201, `/api/Registers/${id}`])
    expect(data).toMatchObject({ ...fields, id })
    expect((await anna.post('/api/Registers', fields, { 'idempotency-key': 'r' })).body.data).toEqual(data)
    const read = await anna.get(`/api/Registers/${id}`)
    expect(read.body.data).toEqual({ ...Object(data), counts: { admitted: 0, pending: 0, refused: 0 } })
    const unchanged = await anna.send('GET', `/api/Registers/${id}`, {
      headers: { 'if-none-match': read.headers.get('etag') ?? '' },
    })
    expect(unchanged.status).toBe(304)
    const { items } = Object((await anna.get('/api/Registers?limit=1')).body.data)
    expect(items).toEqual([data])
  })

  test.each([
    ['readRegister', 'GET', '/api/Registers/999'],
    ['listBidders', 'GET', '/api/Registers/999/Bidders'],
    ['readBidder', 'GET', '/api/Registers/999/Bidders/2'],
    ['setBidder', 'PUT', '/api/Registers/999/Bidders/2'],
    ['setBidders', 'POST', '/api/Registers/999/Bidders'],
  ])('that does not exist is a 404 of %s', async (name, method, path) => {
    const body = { setBidder: { status: 'pending' }, setBidders: { bidders: [{ bidderId: 2, status: 'pending' }] } }
    const sent = Reflect.get(body, name)
    const response = await newStaff().send(method, path, {
      ...(sent && { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }),
    })
    expect(response).toMatchObject(problem(404, 'register-not-found', { message: 'Register 999 does not exist.' }))
  })

  test('needs its permissions, and users read their own entry only', async () => {
    const { id, list } = await registerOn(bound)
    await list(2, { status: 'admitted', limit: 50 })
    const bob = clientOf(bound, userOf(2))
    expect((await bob.get(`/api/Registers/${id}/Bidders/2`)).body.data).toMatchObject({ mayBid: true, limit: 50 })
    const paths = [`/api/Registers/${id}`, '/api/Registers', `/api/Registers/${id}/Bidders`]
    for (const path of [...paths, `/api/Registers/${id}/Bidders/3`]) expect((await bob.get(path)).status).toBe(403)
    expect((await bob.put(`/api/Registers/${id}/Bidders/2`, { status: 'admitted' })).status).toBe(403)
    expect((await bob.post('/api/Registers', { currency: 'USD', admits: 'listed' })).status).toBe(403)
  })
})

describe('bidders', () => {
  test('are set whole, and never over a change that the client has not read', async () => {
    const { id, list, clerk } = await registerOn(server)
    const first = await list(2, { status: 'admitted', limit: 5000, paddle: '12' })
    const data = { registerId: id, bidderId: 2, status: 'admitted', mayBid: true, currency: 'USD' }
    expect(first.body.data).toEqual({ ...data, limit: 5000, paddle: '12' })
    const read = await clerk.get(`/api/Registers/${id}/Bidders/2`)
    expect(read.headers.get('etag')).toBe(first.headers.get('etag'))
    const ifMatch = { 'if-match': read.headers.get('etag') ?? '' }
    expect((await list(2, { status: 'pending' }, ifMatch)).body.data).toEqual({
      ...data,
      status: 'pending',
      mayBid: false,
    })
    expect((await list(2, { status: 'admitted' }, ifMatch)).status).toBe(412)
    const inexact = await list(2, { status: 'admitted', limit: 1.234 })
    expect([inexact.status, pointersOf(inexact)]).toEqual([400, ['/limit']])
  })

  test('have unique paddles', async () => {
    const { list } = await registerOn(server)
    await list(2, { status: 'admitted', paddle: '12' })
    await list(2, { status: 'admitted' })
    expect(await list(3, { status: 'admitted', paddle: '12' })).toMatchObject(
      problem(409, 'paddle-taken', {
        message: 'Bidder 3 cannot get the paddle 12: another bidder has it, or had it.',
        bidderId: 3,
        paddle: '12',
      }),
    )
  })

  test('come from a spreadsheet, and nothing changes if a line is wrong', async () => {
    const { id, clerk } = await registerOn(server)
    const path = `/api/Registers/${id}/Bidders`
    const csv = { 'content-type': 'text/csv' }
    const wrong = await clerk.post(path, 'bidderId;status;limit\n2;admitted;100\n3;banned;"1,000.50"\n', csv)
    expect([wrong.status, pointersOf(wrong)]).toEqual([400, ['/bidders/1/status', '/bidders/1/limit']])
    const { errors } = Object(wrong.body)
    expect(errors[0].message).toMatch(/^line 3, column status: must be/)
    // The number of decimals depends on the register.
    const inexact = await clerk.post(path, 'bidderId,status,limit\n2,admitted,1\n3,admitted,1.234\n', csv)
    expect(Object(inexact.body).errors).toMatchObject([
      { pointer: '/bidders/1/limit', message: expect.stringMatching(/^line 3, column limit: 1\.234 /) },
    ])
    const right = 'limit,bidderId,status,paddle\r\n100.5,2,admitted,A1\r\n,3,refused,\r\n'
    expect(await clerk.post(`${path}?check=true`, right, csv)).toMatchObject({ status: 200 })
    expect(Object((await clerk.get(path)).body.data).items).toEqual([])
    expect((await clerk.post(path, right, csv)).body.data).toEqual({
      bidders: [
        { bidderId: 2, status: 'admitted', limit: 100.5, paddle: 'A1' },
        { bidderId: 3, status: 'refused' },
      ],
    })
    const page = await clerk.get(`${path}?limit=1`)
    const { items, nextCursor } = Object(page.body.data)
    const next = await clerk.get(`${path}?limit=1&cursor=${nextCursor}`)
    expect([items[0].bidderId, Object(next.body.data).items[0].bidderId]).toEqual([2, 3])
    expect(Object((await clerk.get(`${path}?paddle=A1`)).body.data).items).toEqual(items)
    const { id: other } = await registerOn(server)
    const foreign = await clerk.get(`/api/Registers/${other}/Bidders?cursor=${nextCursor}`)
    expect([foreign.status, pointersOf(foreign)]).toEqual([400, ['/cursor']])
  })
})

describe('an auction with a register', () => {
  test('shows it, and an unknown one or another currency is refused', async () => {
    const { id } = await registerOn(server)
    const anna = newCaller({ permissions })
    const auction = await openAuction(server, { registerId: id }, anna)
    expect((await auction.get(`/api/Auctions/${auction.id}`)).body.data).toMatchObject({
      register: { id, admits: 'listed' },
    })
    const { id: euros } = await registerOn(server, { currency: 'EUR' })
    for (const registerId of [auction.id, euros]) {
      const refused = await clientOf(server, anna).createAuction({ registerId })
      expect([refused.status, pointersOf(refused)]).toEqual([400, ['/registerId']])
    }
    // Sent back, a resource must not become an auction for everyone.
    const { data } = (await auction.get(`/api/Auctions/${auction.id}`)).body
    const again = await clientOf(server, anna).post('/api/Auctions', Object(data))
    expect([again.status, pointersOf(again)]).toEqual([400, ['/register']])
    const paddles = await clientOf(server, anna).createAuction({ showPaddles: true })
    expect([paddles.status, pointersOf(paddles)]).toEqual([400, ['/showPaddles']])
  })

  test('says only to the bidder, and to staff, why they may not bid', async () => {
    const { id, list, clerk } = await registerOn(bound)
    const auction = await openAuction(bound, { registerId: id }, userOf(1))
    await list(2, { status: 'refused' })
    await list(3, { status: 'admitted', limit: 150 })
    const placed = (token: string, bid: object) => auction.as(token).placeBid(bid)
    expect(await placed(userOf(2), { bidderId: 2, amount: 100 })).toMatchObject(
      problem(409, 'not-admitted', { message: 'This user is not admitted to the auction.', registration: 'refused' }),
    )
    expect(await placed(userOf(3), { bidderId: 3, amount: 100, maximumAmount: 150.01 })).toMatchObject(
      problem(409, 'above-limit', {
        message: 'This is above the limit of the user in the register of the auction: 150 USD.',
        limit: 150,
        currency: 'USD',
      }),
    )
    await list(2, { status: 'admitted' })
    expect((await placed(userOf(2), { bidderId: 2, amount: 100 })).status).toBe(201)
    // Without binding, any caller may act for any user, and learns nothing of the register.
    const { id: other } = await registerOn(server)
    const unbound = await openAuction(server, { registerId: other }, newCaller({ permissions }))
    const refused = await unbound.placeBid({ bidderId: 2, amount: 100 })
    expect(refused).toMatchObject(problem(409, 'not-admitted', {}))
    expect(refused.body).not.toHaveProperty('registration')
    expect((await clerk.get(`/api/Registers/${id}`)).body.data).toMatchObject({ counts: { admitted: 2 } })
  })

  test('admits by a claim of the token where its register allows that, and the register refuses', async () => {
    const { id, list } = await registerOn(bound, { claims: true })
    const { id: strict } = await registerOn(bound)
    const [auction, other] = await Promise.all(
      [id, strict].map((registerId) => openAuction(bound, { registerId, buyNowPrice: 900 }, userOf(1))),
    )
    const token = userOf(4, { admitted: { [id]: { limit: 500 }, [strict]: {}, x: 1, 12: { limit: '7' } } })
    const bid = async (amount: number, on = auction) => {
      const { body } = await Object(on).as(token).placeBid({ bidderId: 4, amount })
      return body.success ? 'accepted' : body.code
    }
    expect([await bid(500.01), await bid(500), await bid(100, other)]).toEqual([
      'above-limit',
      'accepted',
      'not-admitted',
    ])
    const own = await clientOf(bound, token).get(`/api/Registers/${id}/Bidders/4`)
    expect(own.body.data).toMatchObject({ status: 'none', mayBid: true, byClaim: true, limit: 500 })
    await list(4, { status: 'refused' })
    expect(await bid(510)).toBe('not-admitted')
    const bought = await Object(auction).as(token).buyNow({ buyerId: 4 })
    expect(bought.body.code).toBe('not-admitted')
  })

  test.each([
    ['that is not an object', () => 'all'],
    ['with a limit that is not an amount', (id: number) => ({ [id]: { limit: '5' } })],
    ['of too many registers', () => Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index + 1, {}]))],
  ])('is closed to a user with a claim %s, and open to one without', async (_, claimed) => {
    const { id } = await registerOn(bound, { admits: 'everyone', claims: true })
    const auction = await openAuction(bound, { registerId: id }, userOf(1))
    const bid = (uid: number, claims?: object) =>
      auction.as(userOf(uid, claims)).placeBid({ bidderId: uid, amount: 100 })
    expect((await bid(5, { admitted: claimed(id) })).body.code).toBe('not-admitted')
    expect((await bid(6)).status).toBe(201)
  })

  test('has one entity tag of a bidder for reads and changes, claims included', async () => {
    const { id } = await registerOn(bound, { admits: 'everyone', claims: true })
    const self = { uid: 9, permissions: staff, admitted: { [id]: { limit: 70 } } }
    const clerk = clientOf(bound, tokenOf('clerk', self))
    const path = `/api/Registers/${id}/Bidders`
    const tag = async (bidderId: number) => (await clerk.get(`${path}/${bidderId}`)).headers.get('etag') ?? ''
    const set = await clerk.put(`${path}/9`, { status: 'pending' }, { 'if-match': await tag(9) })
    expect(set.body.data).toMatchObject({ status: 'pending', mayBid: true, byClaim: true, limit: 70 })
    expect(set.headers.get('etag')).toBe(await tag(9))
    const entry = { status: 'refused', withdrawBids: true, reason: 'Unpaid.' }
    expect((await clerk.put(`${path}/3`, entry)).headers.get('etag')).toBe(await tag(3))
  })

  test('shows paddles in bids, events and the result', async () => {
    const { id, list } = await registerOn(bound)
    const auction = await openAuction(bound, { registerId: id, showPaddles: true }, userOf(1))
    await list(2, { status: 'admitted', paddle: '12' })
    await list(3, { status: 'admitted', paddle: '14' })
    await auction.as(userOf(2)).placeBid({ bidderId: 2, amount: 100, maximumAmount: 200 })
    const outbid = await auction.as(userOf(3)).placeBid({ bidderId: 3, amount: 110 })
    expect(outbid.body.data).toMatchObject({ paddle: '14', leaderPaddle: '12' })
    const { items } = Object((await auction.get(`/api/Auctions/${auction.id}/Bids`)).body.data)
    expect(items.map(({ paddle }: { readonly paddle: string }) => paddle)).toEqual(['12', '14', '12'])
    const events = Object((await auction.get(`/api/Auctions/${auction.id}/Events`)).body.data).items
    expect(events[1]).toMatchObject({ bids: [{ paddle: '14' }, { paddle: '12' }], leaderPaddle: '12' })
  })
})

describe('a refusal during a sale', () => {
  test('withdraws bids in the open auctions of the register, with the permission to repair', async () => {
    const { id, list } = await registerOn(bound, { admits: 'everyone' })
    const auction = await openAuction(bound, { registerId: id }, userOf(1))
    await auction.as(userOf(2)).placeBid({ bidderId: 2, amount: 100 })
    const entry = { status: 'refused', withdrawBids: true, reason: 'Unpaid.' }
    const clerk = clientOf(bound, tokenOf('clerk', { uid: 8, permissions: [...permissions, ...registering] }))
    expect((await clerk.put(`/api/Registers/${id}/Bidders/2`, entry)).status).toBe(403)
    const refused = await list(2, entry)
    expect(refused.body.data).toMatchObject({
      status: 'refused',
      withdrawn: { auctions: [{ auctionId: auction.id, outcome: 'withdrawn' }], more: false },
    })
    expect((await auction.get(`/api/Auctions/${auction.id}`)).body.data).toMatchObject({ bidCount: 0, leaderId: null })
  })
})

test('registers that differ in others give everybody else equal bytes', async () => {
  const pseudonyms = { PSEUDONYM_SECRET: 'a secret of the tests, of more than 32 bytes' }
  /** What everyone else sees of the same bids, with other entries of users who do not bid. */
  async function seenWith(others: readonly (readonly [bidderId: number, entry: object])[]) {
    const twin = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid', ...pseudonyms } })
    const { id, list } = await registerOn(twin)
    await list(2, { status: 'admitted', limit: 900 })
    for (const [bidderId, entry] of others) await list(bidderId, entry)
    const auction = await openAuction(twin, { registerId: id }, userOf(1))
    await auction.as(userOf(2)).placeBid({ bidderId: 2, amount: 100 })
    const seen: unknown[] = []
    for (const token of [userOf(1), userOf(2), userOf(6)]) {
      for (const path of ['', '/Bids', '/Events', '/Repairs']) {
        const { status, body, headers } = await auction.as(token).get(`/api/Auctions/${auction.id}${path}`)
        const { now: _, ...rest } = body
        seen.push([status, rest, headers.get('etag')])
      }
      const barred = await auction.as(token).placeBid({ bidderId: 6, amount: 500 })
      const { requestId: __, ...problemBody } = barred.body
      seen.push([barred.status, problemBody])
    }
    const stream = await openStream(twin, `/api/Auctions/${auction.id}/Events?after=0`, userOf(6))
    await list(2, { status: 'admitted', limit: 901 })
    await auction.as(userOf(2)).placeBid({ bidderId: 2, amount: 200 })
    const events = await stream.until('bid')
    await stream.close()
    seen.push(events)
    const { items } = (await auction.as(userOf(6)).get('/api/Auctions?limit=5')).body.data
    seen.push(items)
    const own = await auction.as(userOf(2)).get(`/api/Registers/${id}/Bidders/2`)
    const { now: _, ...rest } = own.body
    return JSON.stringify([...seen, rest, own.headers.get('etag')])
  }
  const one = await seenWith([
    [3, { status: 'admitted', limit: 1, paddle: '1' }],
    [4, { status: 'refused' }],
    [5, { status: 'pending' }],
  ])
  const other = await seenWith([
    [5, { status: 'refused', paddle: '9' }],
    [4, { status: 'admitted' }],
    [3, { status: 'pending', limit: 7 }],
  ])
  expect(one).toBe(other)
  expect(one).toContain('not-admitted')
})
