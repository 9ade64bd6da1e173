import { describe, expect, test } from 'vitest'
import {
  anonymousOf,
  clientOf,
  newAuction,
  newBid,
  newCaller,
  openAuction,
  pointersOf,
  problem,
} from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { permissions, tokenOf } from './support/tokens.ts'

// Each test cites the section of the interface specification that it covers.

const server = await serverOfFile()
const anna = clientOf(server)

const creating = { path: '/api/Auctions', fields: newAuction, permission: 'Auctions.Create', ownValue: permissions[0] }
const bidding = { path: '/api/Bids', fields: newBid, permission: 'Bids.Create', ownValue: permissions[1] }
const operations = [creating, bidding]

const requiredFields = {
  '/api/Auctions': ['productId', 'ownerId', 'startingPrice', 'minimumBidIncrement', 'currency', 'startTime', 'endTime'],
  '/api/Bids': ['auctionId', 'bidderId', 'amount'],
}

test('§2.1: a success is an envelope of success, message and data, as JSON', async () => {
  const created = await anna.createAuction()
  expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys(created.body)).toEqual(['success', 'message', 'data'])
  expect(created.body).toMatchObject({ success: true, message: expect.stringMatching(/^Auction \d+ was created\.$/) })
})

test('§2.2, §4.1: a new auction is 201 with all submitted fields, an id, a status and its Location', async () => {
  const created = await anna.createAuction()
  expect(created.status).toBe(201)
  const { id } = created.body.data
  expect(created.headers.get('location')).toBe(`/api/Auctions/${id}`)
  expect(created.text).toBe(
    JSON.stringify({
      success: true,
      message: `Auction ${id} was created.`,
      data: { id, ...newAuction, status: 'Pending' },
    }),
  )
})

test('§2.2: title and description are optional, and omitted if not sent', async () => {
  const { title: _title, description: _description, ...required } = newAuction
  const created = await anna.post('/api/Auctions', required)
  expect(created.status).toBe(201)
  expect(created.body.data).toEqual({ id: created.body.data.id, ...required, status: 'Pending' })
})

test('§2.2: decimals are returned as JSON numbers, exactly', async () => {
  const created = await anna.post(
    '/api/Auctions',
    JSON.stringify(newAuction).replace('"startingPrice":100', '"startingPrice":100.10'),
  )
  expect(created.text).toContain('"startingPrice":100.1,"minimumBidIncrement":5,')
})

test('§2.3, §4.2: a placed bid is 201 with its fields, an id, a timestamp and its Location', async () => {
  const auction = await openAuction(server)
  server.clock.set('2030-01-31T12:34:56.789Z')
  const placed = await auction.placeBid()
  const { id } = placed.body.data
  expect(placed.status).toBe(201)
  expect(placed.headers.get('location')).toBe(`/api/Bids/${id}`)
  expect(placed.text).toBe(
    JSON.stringify({
      success: true,
      message: `Bid ${id} was placed.`,
      data: { id, ...newBid, auctionId: auction.id, timestamp: '2030-01-31T12:34:56.789Z', leaderId: newBid.bidderId },
    }),
  )
})

test.each([
  ['before its start', '2030-01-01T00:00:00Z'],
  ['while it runs', '2030-02-01T00:00:00Z'],
])('§3, §4.1 rule 2: the response to a new auction has status Pending, even %s', async (_when, now) => {
  server.clock.set(now)
  expect((await anna.createAuction()).body.data.status).toBe('Pending')
})

describe.each(operations)('§4: POST $path', ({ path, fields, permission, ownValue }) => {
  test.each(requiredFields[path as keyof typeof requiredFields])('rule 1: without %s it is 400', async (name) => {
    const refused = await unchanged(server, () => anna.post(path, { ...fields, [name]: undefined }))
    expect(refused).toMatchObject(problem(400, 'validation-failed'))
    expect(refused.body.errors).toEqual([{ pointer: `/${name}`, message: 'is required' }])
  })

  test('rule 1: with every field invalid it is one 400 that lists them all', async () => {
    const invalid = Object.fromEntries(Object.keys(fields).map((name) => [name, { not: 'valid' }]))
    const refused = await unchanged(server, () => anna.post(path, invalid))
    expect(refused).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(refused)).toEqual(Object.keys(fields).map((name) => `/${name}`))
  })

  test('§5 rules 1 and 2: without a token it is 401', async () => {
    const refused = await unchanged(server, () => anonymousOf(server).post(path, fields))
    expect(refused).toMatchObject(problem(401, 'unauthenticated'))
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('§5 rule 2: with an invalid token it is 401', async () => {
    const refused = await unchanged(server, () => clientOf(server, 'not.a.token').post(path, fields))
    expect(refused).toMatchObject(problem(401, 'unauthenticated'))
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
  })

  test('§5 rule 3: without its permission it is 403, with any other permissions', async () => {
    const others = [...permissions.filter((value) => value !== ownValue), `${ownValue}s`, ownValue?.toLowerCase()]
    const refused = await unchanged(server, () =>
      clientOf(server, tokenOf('bert', { permissions: others })).post(path, fields),
    )
    expect(refused).toMatchObject(problem(403, 'forbidden'))
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${ownValue}"`)
  })

  test('§5 rule 3: its permission suffices', async () => {
    const { id, as } = await openAuction(server)
    const caller = as(newCaller({ permissions: [ownValue] }))
    expect((await caller.post(path, 'auctionId' in fields ? { ...fields, auctionId: id } : fields)).status).toBe(201)
  })

  test.each([
    ['SERVICE_NAME', { SERVICE_NAME: 'acme' }, `acme:${permission.replace('.', ':')}`],
    ['its setting', { [`PERMISSIONS_${permission.replace('.', '_').toUpperCase()}`]: 'may-do-it' }, 'may-do-it'],
  ])('§5: the value of the permission follows %s', async (_setting, environment, value) => {
    const server = await startServer({ environment })
    await clientOf(
      server,
      tokenOf('anna', { scope: 'acme:Auctions:Create auction-service:Auctions:Create' }),
    ).createAuction()
    const refused = await clientOf(server, tokenOf('anna', { permissions: [ownValue] })).post(path, fields)
    expect(refused).toMatchObject(problem(403, 'forbidden'))
    const allowed = await clientOf(server, tokenOf('anna', { permissions: [value] })).post(path, fields)
    expect(allowed.status).toBe(201)
  })

  test('§7, §8 rule 1: over the rate limit it is 429', async () => {
    const server = await startServer({ environment: { RATE_LIMIT_MAX: '1' } })
    const limited = clientOf(server)
    await limited.post(path, '{')
    expect(await unchanged(server, () => limited.post(path, fields))).toMatchObject(problem(429, 'rate-limited'))
  })

  test('§7: an unexpected error is 500', async () => {
    const fail = async () => {
      throw new Error('planted')
    }
    const server = await startServer({ replaceInStore: () => ({ claimNextIdBlock: fail, findAuction: fail }) })
    expect(await clientOf(server).post(path, fields)).toMatchObject(problem(500, 'internal'))
  })
})
