import { expect, test } from 'vitest'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { permissions, signedToken, tokenOf } from './support/tokens.ts'

const whole = { RATE_LIMIT_WINDOW_SECONDS: '1000' }

test('§8 rule 1: each response has the limit and what is left of it; over the limit is 429 with Retry-After', async () => {
  const server = await startServer({ environment: { ...whole, RATE_LIMIT_MAX: '3' } })
  const anna = clientOf(server)
  const responses = [
    await anna.createAuction(),
    await anna.createAuction({ currency: 'XXX' }),
    await anna.placeBid(),
    await anna.placeBid(),
    await anna.cancelAuction(),
  ]
  expect(responses.map(({ status }) => status)).toEqual([201, 400, 201, 429, 429])
  for (const [index, { headers }] of responses.entries()) {
    expect(headers.get('ratelimit-policy')).toBe('"writes";q=3;w=1000')
    const [, remaining, seconds] = /^"writes";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
    expect(Number(remaining)).toBe(Math.max(0, 2 - index))
    // A third of the window.
    expect(Number(seconds)).toBeGreaterThan(300)
    expect(Number(seconds)).toBeLessThanOrEqual(334)
    expect(headers.get('retry-after')).toBe(index < 3 ? null : seconds)
    expect([...headers.keys()].filter((name) => /^x-ratelimit|^ratelimit-(limit|remaining|reset)/.test(name))).toEqual(
      [],
    )
  }
  expect(responses[3]).toMatchObject(problem(429, 'rate-limited'))
  expect(responses[3]?.body.message).toMatch(/^The quota of 3 writes in 1000 s is used up; try again in \d+ s\.$/)
})

test('a caller who polled until 429 can still bid, and one who bid until 429 can still read', async () => {
  const server = await startServer({ environment: { ...whole, RATE_LIMIT_MAX: '2' } })
  await clientOf(server, tokenOf('owner')).createAuction()
  const [poller, bidder] = [clientOf(server, tokenOf('bert')), clientOf(server, tokenOf('carl'))]
  const polls = []
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) polls.push(await poller.send(method, '/api/Auctions/1'))
  expect(polls.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  expect(polls[2]?.headers.get('ratelimit-policy')).toBe('"reads";q=2;w=1000')
  const bid = await poller.placeBid({ amount: 100 })
  expect(bid.status).toBe(201)
  expect(bid.headers.get('ratelimit')).toMatch(/^"writes";r=1;/)

  const bids = []
  for (const amount of [200, 300, 400]) bids.push(await bidder.placeBid({ bidderId: 3, amount }))
  expect(bids.map(({ status }) => status)).toEqual([201, 201, 429])
  const read = await bidder.get('/api/Auctions/1')
  expect(read).toMatchObject({ status: 200, body: { data: { leaderId: 3 } } })
  expect(read.headers.get('ratelimit')).toMatch(/^"reads";r=1;/)
})

test('each caller has its own limit: a subject of an issuer, or a token without a subject', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '1' } })
  const first = [
    tokenOf('anna'),
    tokenOf('bert'),
    tokenOf('anna', { iss: 'elsewhere' }),
    signedToken({ permissions }),
    signedToken({ permissions, jti: 'another' }),
  ]
  for (const token of first) expect((await clientOf(server, token).get('/api/Auctions')).status).toBe(200)
  for (const token of [...first, tokenOf('anna', { jti: 'renewed' })]) {
    expect((await clientOf(server, token).get('/api/Auctions')).status).toBe(429)
  }
})

test('a caller without the permission gets 403, and its request counts, within and over its limit', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '2', RATE_LIMIT_WINDOW_SECONDS: '1000' } })
  const forbidden = clientOf(server, tokenOf('anna', { permissions: [] }))
  for (const remaining of [1, 0, 0]) {
    const response = await forbidden.createAuction()
    expect(response).toMatchObject(problem(403, 'forbidden'))
    expect(response.headers.get('ratelimit-policy')).toBe('"writes";q=2;w=1000')
    expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"writes";r=${remaining};t=\\d+$`))
    expect(response.headers.get('retry-after')).toBeNull()
  }
  // All tokens of a caller share its limit.
  expect(await clientOf(server).createAuction()).toMatchObject(problem(429, 'rate-limited'))
})

test('every refused request to a limited route counts', async () => {
  const server = await startServer({ environment: { ...whole, JWT_SUBJECT_CLAIM: 'uid', RATE_LIMIT_MAX: '100' } })
  const anna = clientOf(server, tokenOf('anna', { uid: 2 }))
  const responses = [
    await anna.post('/api/Bids', 'x'.repeat(70_000)),
    await anna.post('/api/Bids', '{}', { 'content-type': 'text/plain' }),
    await anna.post('/api/Bids', '{'),
    await anna.placeBid({ amount: 'much' }),
    await anna.placeBid({ bidderId: 3 }),
    await anna.placeBid({ auctionId: 99 }),
    await anna.get('/api/Auctions/99'),
    await anna.get('/api/Auctions?limit=0'),
  ]
  expect(responses.map(({ status }) => status)).toEqual([413, 415, 400, 400, 403, 404, 404, 400])
  expect(responses.map(({ headers }) => headers.get('ratelimit')?.replace(/;t=\d+$/, ''))).toEqual([
    ...[99, 98, 97, 96, 95, 94].map((remaining) => `"writes";r=${remaining}`),
    ...[99, 98].map((remaining) => `"reads";r=${remaining}`),
  ])
})

test.each<[what: string, status: number, method: string, path: string]>([
  ['a path that does not exist', 404, 'GET', '/api/Offers'],
  ['a method that does not exist', 405, 'DELETE', '/api/Auctions'],
])('a request to %s has no headers of a limit, and does not count', async (_what, status, method, path) => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '1', RATE_LIMIT_ANONYMOUS_MAX: '1' } })
  for (const caller of [clientOf(server), anonymousOf(server)]) {
    const response = await caller.send(method, path)
    expect(response.status).toBe(status)
    expect([...response.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  }
  expect((await clientOf(server).get('/api/Auctions')).status).toBe(200)
  expect((await anonymousOf(server).get('/api/Auctions')).status).toBe(401)
})
