import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ApiResponse, clientOf, problem } from './support/client.ts'
import { keySetServer } from './support/key-set-server.ts'
import { startServer, type TestServer } from './support/server.ts'
import { permissions, signedBy, signedToken, tokenOf } from './support/tokens.ts'

const badToken = () => signedToken({ sub: 'anna', permissions }, undefined, { key: crypto.randomUUID() })
const list = (server: TestServer, token = '', headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> =>
  clientOf(server, token).send('GET', '/api/Auctions', { headers })

const wrongWays: readonly [what: string, send: (server: TestServer) => Promise<ApiResponse>][] = [
  ['no token', (server) => list(server)],
  ['a bad signature', (server) => list(server, badToken())],
  ['an expired token', (server) => list(server, tokenOf('anna', { exp: 1 }))],
  ['no form of a token', (server) => list(server, 'x.y.z')],
  ['another scheme', (server) => list(server, '', { authorization: 'Basic YTpi' })],
]

test.each(wrongWays)('requests with %s count for their address, and are 429 past the limit', async (_what, send) => {
  const server = await startServer({
    environment: { RATE_LIMIT_ANONYMOUS_MAX: '2', RATE_LIMIT_WINDOW_SECONDS: '1000' },
  })
  const responses = [await send(server), await send(server), await send(server), await send(server)]
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 429, 429])
  for (const [index, { headers }] of responses.entries()) {
    expect(headers.get('ratelimit-policy')).toBe('"anonymous";q=2;w=1000')
    const [, remaining, seconds] = /^"anonymous";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
    expect(Number(remaining)).toBe(Math.max(0, 1 - index))
    // Half of the window.
    expect(Number(seconds)).toBeGreaterThan(450)
    expect(Number(seconds)).toBeLessThanOrEqual(500)
    expect(headers.get('retry-after')).toBe(index < 2 ? null : seconds)
    expect(headers.has('www-authenticate')).toBe(index < 2)
  }
  expect(responses[2]).toMatchObject(problem(429, 'rate-limited'))
  expect(responses[2]?.body.message).toMatch(/2 requests without a valid token from this address/)
})

test('a valid token, known or new, passes from an address that has used up its limit', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_ANONYMOUS_MAX: '1' } })
  const known = clientOf(server, tokenOf('anna'))
  expect((await known.get('/api/Auctions')).status).toBe(200)
  for (const status of [401, 429]) expect((await list(server)).status).toBe(status)
  expect((await known.get('/api/Auctions')).status).toBe(200)
  const fresh = await list(server, tokenOf('bert'))
  expect(fresh.status).toBe(200)
  expect(fresh.headers.get('ratelimit')).toBe('"reads";r=299;t=1')
  // The valid tokens do not restore the limit of the address.
  expect((await list(server)).status).toBe(429)
})

test('a request does not count while the keys of the issuer are unavailable', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { url } = await keySetServer((_request, response) => void response.writeHead(500).end())
  const server = await startServer({ environment: { JWT_JWKS_URL: url, RATE_LIMIT_ANONYMOUS_MAX: '1' } })
  const token = signedBy(privateKey, { alg: 'EdDSA' }, { sub: 'anna' })
  for (let times = 0; times < 3; times++) {
    const response = await list(server, token)
    expect(response).toMatchObject(problem(503, 'issuer-unavailable'))
    expect(response.headers.get('ratelimit')).toBeNull()
  }
  expect((await list(server)).status).toBe(401)
})

describe('the address that counts', () => {
  const limits = { RATE_LIMIT_ANONYMOUS_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '1000' }
  const from = async (server: TestServer, forwarded: string) =>
    (await list(server, '', { 'x-forwarded-for': forwarded })).status

  test.each([
    { where: 'without TRUST_PROXY', trusted: {} },
    { where: 'of a proxy that is not trusted', trusted: { TRUST_PROXY: '10.0.0.0/8' } },
  ])('X-Forwarded-For is ignored $where', async ({ trusted }) => {
    const server = await startServer({ environment: { ...limits, ...trusted } })
    expect(await from(server, '192.0.2.1')).toBe(401)
    expect(await from(server, '192.0.2.2')).toBe(429)
  })

  test('without TRUST_PROXY, the log warns of X-Forwarded-For once', async () => {
    const server = await startServer({ environment: limits })
    const { log } = server
    await list(server, tokenOf('anna'))
    expect(log.join('')).not.toContain('X-Forwarded-For')
    for (const forwarded of ['192.0.2.1', '192.0.2.2']) await from(server, forwarded)
    const warnings = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
    expect(warnings).toMatchObject([{ msg: expect.stringMatching(/X-Forwarded-For.*TRUST_PROXY is not set/) }])

    const behindProxy = await startServer({ environment: { ...limits, TRUST_PROXY: '127.0.0.1' } })
    await from(behindProxy, '192.0.2.1')
    expect(behindProxy.log.join('')).not.toContain('X-Forwarded-For')
  })

  test.each(['127.0.0.1', '10.0.0.0/8,127.0.0.0/8', '1'])(
    'with TRUST_PROXY=%s, the last address counts',
    async (trusted) => {
      const server = await startServer({ environment: { ...limits, TRUST_PROXY: trusted } })
      expect(await from(server, '192.0.2.1')).toBe(401)
      expect(await from(server, '192.0.2.2')).toBe(401)
      // The client may have sent the others.
      expect(await from(server, '198.51.100.1, 192.0.2.1')).toBe(429)
      expect(await from(server, '127.0.0.1, 192.0.2.2')).toBe(429)
    },
  )

  test.each(['127.0.0.0/8,10.0.0.0/8', '2'])(
    'with TRUST_PROXY=%s, the address before the last proxy counts',
    async (trusted) => {
      const server = await startServer({ environment: { ...limits, TRUST_PROXY: trusted } })
      expect(await from(server, '192.0.2.1, 10.0.0.7')).toBe(401)
      expect(await from(server, '192.0.2.2, 10.0.0.7')).toBe(401)
      expect(await from(server, '198.51.100.1, 192.0.2.1, 10.0.0.8')).toBe(429)
    },
  )

  test.each([
    { what: 'IPv6 addresses of one /64', first: '2001:db8:1:2::1', second: '2001:DB8:1:2:ffff::9', status: 429 },
    { what: 'IPv6 addresses of two /64', first: '2001:db8:1:2::1', second: '2001:db8:1:3::1', status: 401 },
    { what: 'an IPv4 address in both forms', first: '192.0.2.1', second: '::ffff:192.0.2.1', status: 429 },
    { what: 'an address with ports', first: '192.0.2.1:4711', second: '192.0.2.1:4712', status: 429 },
    { what: 'an IPv6 address with a port', first: '[2001:db8::1]:4711', second: '2001:db8::2', status: 429 },
    { what: 'texts that are not addresses', first: 'unknown', second: 'made-up-1', status: 429 },
    { what: 'numbers that are not addresses', first: '1', second: '0x7f000001', status: 429 },
  ])('of $what, the second request is $status', async ({ first, second, status }) => {
    const server = await startServer({ environment: { ...limits, TRUST_PROXY: '127.0.0.1' } })
    expect(await from(server, first)).toBe(401)
    expect(await from(server, second)).toBe(status)
  })
})
