import { describe, expect, test } from 'vitest'
import { anonymousOf, clientOf, newAuction, newBid, pointersOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { permissions, tokenOf } from './support/tokens.ts'

// Each test cites the section of the interface specification that it holds the service to.

const creating = { path: '/api/Auctions', fields: newAuction, permission: 'Auctions.Create', ownValue: permissions[0] }
const bidding = { path: '/api/Bids', fields: newBid, permission: 'Bids.Create', ownValue: permissions[1] }
const operations = [creating, bidding]

const requiredFields = {
  '/api/Auctions': ['productId', 'ownerId', 'startingPrice', 'minimumBidIncrement', 'currency', 'startTime', 'endTime'],
  '/api/Bids': ['auctionId', 'bidderId', 'amount'],
}

test('§2.1: a success is an envelope of success, message and data, as JSON', async () => {
  const anna = clientOf(await startServer())
  const created = await anna.createAuction()
  expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys(created.body)).toEqual(['success', 'message', 'data'])
  expect(created.body).toMatchObject({ success: true, message: 'Auction 1 is created.' })
})

test('§2.2, §4.1: a created auction is answered 201 with all submitted fields, an id, a status and its Location', async () => {
  const anna = clientOf(await startServer())
  const created = await anna.createAuction()
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toBe('/api/Auctions/1')
  expect(created.text).toBe(
    JSON.stringify({
      success: true,
      message: 'Auction 1 is created.',
      data: { id: 1, ...newAuction, status: 'Pending' },
    }),
  )
})

test('§2.2: title and description are optional; what is not given is not echoed', async () => {
  const anna = clientOf(await startServer())
  const { title: _title, description: _description, ...required } = newAuction
  const created = await anna.post('/api/Auctions', required)
  expect(created.status).toBe(201)
  expect(created.body.data).toEqual({ id: 1, ...required, status: 'Pending' })
})

test('§2.2: decimals are returned as JSON numbers, exactly', async () => {
  const anna = clientOf(await startServer())
  const created = await anna.post(
    '/api/Auctions',
    JSON.stringify(newAuction).replace('"startingPrice":100', '"startingPrice":100.10'),
  )
  expect(created.text).toContain('"startingPrice":100.1,"minimumBidIncrement":5,')
})

test('§2.3, §4.2: a placed bid is answered 201 with its fields, an id, a timestamp and its Location', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  server.clock.set('2030-01-31T12:34:56.789Z')
  const placed = await anna.placeBid()
  expect(placed.status).toBe(201)
  expect(placed.headers.get('location')).toBe('/api/Bids/1')
  expect(placed.text).toBe(
    JSON.stringify({
      success: true,
      message: 'Bid 1 is placed.',
      data: { id: 1, ...newBid, timestamp: '2030-01-31T12:34:56.789Z' },
    }),
  )
})

test.each([
  ['before its start', '2030-01-01T00:00:00Z'],
  ['while it runs', '2030-02-01T00:00:00Z'],
])('§3, §4.1 rule 2: an auction that is created %s has status Pending in the answer', async (_when, now) => {
  const server = await startServer()
  server.clock.set(now)
  expect((await clientOf(server).createAuction()).body.data.status).toBe('Pending')
})

describe.each(operations)('§4: POST $path', ({ path, fields, permission, ownValue }) => {
  test.each(requiredFields[path as keyof typeof requiredFields])('rule 1: without %s it is 400', async (name) => {
    const server = await startServer()
    const anna = clientOf(server)
    await anna.createAuction()
    const refused = await unchanged(server, () => anna.post(path, { ...fields, [name]: undefined }))
    expect(refused).toMatchObject(problem(400, 'validation-failed'))
    expect(refused.body.errors).toEqual([{ pointer: `/${name}`, message: 'is required' }])
  })

  test('rule 1: with every field invalid it is one 400 that names them all', async () => {
    const server = await startServer()
    const invalid = Object.fromEntries(Object.keys(fields).map((name) => [name, { not: 'valid' }]))
    const refused = await unchanged(server, () => clientOf(server).post(path, invalid))
    expect(refused).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(refused)).toEqual(Object.keys(fields).map((name) => `/${name}`))
  })

  test('§5 rules 1 and 2: without a token it is 401', async () => {
    const server = await startServer()
    const refused = await unchanged(server, () => anonymousOf(server).post(path, fields))
    expect(refused).toMatchObject(problem(401, 'unauthenticated'))
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('§5 rule 2: with an invalid token it is 401', async () => {
    const server = await startServer()
    const refused = await unchanged(server, () => clientOf(server, 'not.a.token').post(path, fields))
    expect(refused).toMatchObject(problem(401, 'unauthenticated'))
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
  })

  test('§5 rule 3: without its own permission it is 403, whatever other permissions there are', async () => {
    const server = await startServer()
    const others = [...permissions.filter((value) => value !== ownValue), `${ownValue}s`, ownValue?.toLowerCase()]
    const refused = await unchanged(server, () =>
      clientOf(server, tokenOf('bert', { permissions: others })).post(path, fields),
    )
    expect(refused).toMatchObject(problem(403, 'forbidden'))
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${ownValue}"`)
  })

  test('§5 rule 3: its own permission suffices', async () => {
    const server = await startServer()
    await clientOf(server).createAuction()
    const caller = clientOf(server, tokenOf('bert', { permissions: [ownValue] }))
    expect(await caller.post(path, fields)).toMatchObject({ status: 201 })
  })

  test.each([
    ['SERVICE_NAME', { SERVICE_NAME: 'acme' }, `acme:${permission.replace('.', ':')}`],
    ['its own setting', { [`PERMISSIONS_${permission.replace('.', '_').toUpperCase()}`]: 'may-do-it' }, 'may-do-it'],
  ])('§5: the permission value follows %s', async (_setting, environment, value) => {
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
    const anna = clientOf(server)
    await anna.get('/api/Auctions')
    expect(await unchanged(server, () => anna.post(path, fields))).toMatchObject(problem(429, 'rate-limited'))
  })

  test('§7: an unexpected error is 500', async () => {
    const fail = async () => {
      throw new Error('planted')
    }
    const server = await startServer({
      replaceInStore: () => ({ claimIdBlock: fail, findAuction: fail }),
    })
    expect(await clientOf(server).post(path, fields)).toMatchObject(problem(500, 'internal'))
  })
})
