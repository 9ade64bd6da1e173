import { describe, expect, test } from 'vitest'
import { anonymousOf, clientOf } from './support/client.ts'
import { startServer } from './support/server.ts'

const shop = 'https://shop.example'
const environment = { CORS_ORIGINS: `${shop}, http://localhost:5173` }
const from = (origin: string) => ({ headers: { origin } })
const preflight = {
  headers: {
    origin: shop,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  },
}

test('without CORS_ORIGINS, no response has a header of CORS', async () => {
  const anna = clientOf(await startServer())
  for (const response of [
    await anna.send('OPTIONS', '/api/Bids', preflight),
    await anna.send('GET', '/api/Auctions', from(shop)),
  ]) {
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

describe('an origin that is allowed', () => {
  test('may send requests', async () => {
    const response = await anonymousOf(await startServer({ environment })).send('OPTIONS', '/api/Bids', preflight)
    expect(response).toMatchObject({ status: 204, text: '' })
    expect(response.headers.get('access-control-allow-origin')).toBe(shop)
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PATCH, POST, PUT')
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(expect.arrayContaining(['idempotency-key', 'if-match', 'if-none-match']))
    expect(response.headers.get('access-control-max-age')).toBe('600')
    expect(response.headers.get('vary')).toContain('Origin')
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST')
  })

  test('may send requests to an unknown path, and read the 404', async () => {
    const { url } = await startServer({ environment })
    const response = await fetch(`${url}/nowhere`, { method: 'OPTIONS', ...preflight })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe(shop)
    expect((await fetch(`${url}/nowhere`, { method: 'OPTIONS' })).status).toBe(204)
  })

  test('may read every response, and the headers that a client needs', async () => {
    const server = await startServer({ environment: { ...environment, RATE_LIMIT_MAX: '4' } })
    const anna = clientOf(server)
    const json = { 'content-type': 'application/json', ...from(shop).headers }
    const responses = [
      await anna.createAuction({}, json),
      await anna.send('GET', '/api/Auctions/1', from(shop)),
      await anna.placeBid({ amount: 1 }, json),
      await anonymousOf(server).send('GET', '/api/Auctions', from(shop)),
      await anna.send('GET', '/nowhere', from(shop)),
      await anna.send('DELETE', '/api/Auctions', from(shop)),
      await anna.post('/api/Auctions', 'x', { ...json, 'content-type': 'text/plain' }),
      await anna.post('/api/Auctions', 'x'.repeat(70_000), json),
      await anna.placeBid({}, json),
    ]
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 409, 401, 404, 405, 415, 413, 429])
    for (const { headers } of responses) {
      expect(headers.get('access-control-allow-origin')).toBe(shop)
      expect(headers.get('vary')).toContain('Origin')
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['Accept-Patch', 'Location', 'ETag', 'Retry-After', 'RateLimit', 'X-Request-Id']),
      )
    }
    expect(responses[1]?.headers.get('vary')).toBe('Origin, Authorization')
  })
})

test.each(['https://shop.example.evil.example', 'http://shop.example', 'null'])(
  '%s is not an allowed origin',
  async (origin) => {
    const response = await clientOf(await startServer({ environment })).send('GET', '/api/Auctions', from(origin))
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('vary')).toContain('Origin')
  },
)

test('* allows every origin', async () => {
  const server = await startServer({ environment: { CORS_ORIGINS: '*' } })
  const response = await clientOf(server).send('GET', '/api/Auctions', from('https://anywhere.example'))
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
})
