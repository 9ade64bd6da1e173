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
  for (const answer of [
    await anna.send('OPTIONS', '/api/Bids', preflight),
    await anna.send('GET', '/api/Auctions', from(shop)),
  ]) {
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

describe('an origin that is allowed', () => {
  test('may send requests', async () => {
    const answer = await anonymousOf(await startServer({ environment })).send('OPTIONS', '/api/Bids', preflight)
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.headers.get('access-control-allow-origin')).toBe(shop)
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PATCH, POST')
    const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(expect.arrayContaining(['idempotency-key', 'if-match', 'if-none-match']))
    expect(answer.headers.get('access-control-max-age')).toBe('600')
    expect(answer.headers.get('vary')).toContain('Origin')
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST')
  })

  test('may send requests to an unknown path, and read the 404', async () => {
    const { url } = await startServer({ environment })
    const answer = await fetch(`${url}/nowhere`, { method: 'OPTIONS', ...preflight })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(shop)
    expect((await fetch(`${url}/nowhere`, { method: 'OPTIONS' })).status).toBe(204)
  })

  test('may read every response, and the headers that a client needs', async () => {
    const server = await startServer({ environment: { ...environment, RATE_LIMIT_MAX: '4' } })
    const anna = clientOf(server)
    const json = { 'content-type': 'application/json', ...from(shop).headers }
    const answers = [
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
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 409, 401, 404, 405, 415, 413, 429])
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe(shop)
      expect(headers.get('vary')).toContain('Origin')
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['Accept-Patch', 'Location', 'ETag', 'Retry-After', 'RateLimit', 'X-Request-Id']),
      )
    }
    expect(answers[1]?.headers.get('vary')).toBe('Origin, Authorization')
  })
})

test.each(['https://shop.example.evil.example', 'http://shop.example', 'null'])(
  '%s is not an allowed origin',
  async (origin) => {
    const answer = await clientOf(await startServer({ environment })).send('GET', '/api/Auctions', from(origin))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.headers.get('vary')).toContain('Origin')
  },
)

test('* allows every origin', async () => {
  const server = await startServer({ environment: { CORS_ORIGINS: '*' } })
  const answer = await clientOf(server).send('GET', '/api/Auctions', from('https://anywhere.example'))
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
})
