import { expect, onTestFinished, test, vi } from 'vitest'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { permissions, signedToken, tokenOf } from './support/tokens.ts'

test('§8 rule 1: each answer has the limit and what is left of it; over the limit is 429 with Retry-After', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '3', RATE_LIMIT_WINDOW_SECONDS: '1000' } })
  const anna = clientOf(server)
  const answers = [
    await anna.createAuction(),
    await anna.createAuction({ currency: 'XXX' }),
    await anna.placeBid(),
    await anna.placeBid(),
    await anna.get('/api/Auctions'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 400, 201, 429, 429])
  for (const [index, { headers }] of answers.entries()) {
    expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=1000')
    const [, remaining, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
    expect(Number(remaining)).toBe(Math.max(0, 2 - index))
    expect(Number(seconds)).toBeGreaterThan(900)
    expect(headers.get('retry-after')).toBe(index < 3 ? null : seconds)
    expect([...headers.keys()].filter((name) => /^x-ratelimit|^ratelimit-(limit|remaining|reset)/.test(name))).toEqual(
      [],
    )
  }
  expect(answers[3]).toMatchObject(problem(429, 'rate-limited'))
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

test('the next window has the whole limit', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const startMs = Date.now()
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '10' } })
  const statusAfter = async (ms: number) => {
    vi.setSystemTime(startMs + ms)
    return (await clientOf(server).get('/api/Auctions')).status
  }
  expect(await statusAfter(0)).toBe(200)
  expect(await statusAfter(9_999)).toBe(429)
  expect(await statusAfter(10_000)).toBe(200)
})

test('a caller without the permission gets 403, and its request counts, within and over its limit', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '2', RATE_LIMIT_WINDOW_SECONDS: '1000' } })
  const forbidden = clientOf(server, tokenOf('anna', { permissions: [] }))
  for (const remaining of [1, 0, 0]) {
    const answer = await forbidden.createAuction()
    expect(answer).toMatchObject(problem(403, 'forbidden'))
    expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=2;w=1000')
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${remaining};t=\\d+$`))
    expect(answer.headers.get('retry-after')).toBeNull()
  }
  // All tokens of a caller share its limit.
  expect(await clientOf(server).get('/api/Auctions')).toMatchObject(problem(429, 'rate-limited'))
})

test('every refused request to a limited route counts', async () => {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid', RATE_LIMIT_MAX: '100' } })
  const anna = clientOf(server, tokenOf('anna', { uid: 2 }))
  const answers = [
    await anna.post('/api/Bids', 'x'.repeat(70_000)),
    await anna.post('/api/Bids', '{}', { 'content-type': 'text/plain' }),
    await anna.post('/api/Bids', '{'),
    await anna.placeBid({ amount: 'much' }),
    await anna.placeBid({ bidderId: 3 }),
    await anna.placeBid({ auctionId: 99 }),
    await anna.get('/api/Auctions/99'),
    await anna.get('/api/Auctions?limit=0'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([413, 415, 400, 400, 403, 404, 404, 400])
  expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';')[1])).toEqual(
    answers.map((_, index) => `r=${99 - index}`),
  )
})

test.each<[what: string, status: number, method: string, path: string]>([
  ['a path that does not exist', 404, 'GET', '/api/Offers'],
  ['a method that does not exist', 405, 'DELETE', '/api/Auctions'],
])('a request to %s has no headers of a limit, and does not count', async (_what, status, method, path) => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '1', RATE_LIMIT_ANONYMOUS_MAX: '1' } })
  for (const caller of [clientOf(server), anonymousOf(server)]) {
    const answer = await caller.send(method, path)
    expect(answer.status).toBe(status)
    expect([...answer.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  }
  expect((await clientOf(server).get('/api/Auctions')).status).toBe(200)
  expect((await anonymousOf(server).get('/api/Auctions')).status).toBe(401)
})
