import { expect, onTestFinished, test, vi } from 'vitest'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { permissions, signedToken, tokenOf } from './support/tokens.ts'

test('§8 rule 1: each answer says what the limit is and what is left; past it is 429 with Retry-After', async () => {
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

test('a limit is a caller’s own: that of a subject of an issuer, or of a token without a subject', async () => {
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

test('there is room again after the window', async () => {
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

test.each([
  ['a caller without a token', '/api/Auctions', ''],
  ['a caller without the permission', '/api/Auctions', tokenOf('anna', { permissions: [] })],
])('%s is told no limit', async (_who, path, token) => {
  const server = await startServer()
  const caller = token === '' ? anonymousOf(server) : clientOf(server, token)
  const answer = await caller.post(path, {})
  expect([...answer.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
})
