import { METHODS } from 'node:http'
import { describe, expect, test } from 'vitest'
import { anonymousOf, clientOf, newAuction, newBid, newPurchase, openAuction, problem } from './support/client.ts'
import { exchange, requestBytes } from './support/raw-connection.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { stored } from './support/stored.ts'

const server = await serverOfFile()
const anna = clientOf(server)

test.each([
  ['/api/auctions', '/api/bids'],
  ['/API/AUCTIONS', '/API/BIDS'],
  ['/aPi/Auctions', '/Api/bIds'],
])('paths match in any letter case: %s', async (auctions, bids) => {
  const created = await anna.post(auctions, { ...newAuction, buyNowPrice: 500, cancellableUntilEnd: true })
  const { id } = created.body.data
  expect(created.headers.get('location')).toBe(`/api/Auctions/${id}`)
  expect((await anna.get(`${auctions}/${id}/BIDS`)).status).toBe(200)
  const bought = await anna.post(`${auctions}/${id}/pURCHASE`, newPurchase)
  expect([bought.status, bought.headers.get('location')]).toEqual([201, `/api/Auctions/${id}`])
  const other = await openAuction(server, { cancellableUntilEnd: true })
  const placed = await anna.post(bids, { ...newBid, auctionId: other.id })
  expect(placed.headers.get('location')).toBe(`/api/Bids/${placed.body.data.id}`)
  expect((await anna.post(`${auctions}/${other.id}/CANCELLATION`, {})).status).toBe(201)
})

test.each([
  '/page',
  '/page/',
  '/api',
  '/api/Auctions/',
  '/api/Auctions/1/Bids/1',
  '/api/Auction',
  '//api/Auctions',
  '/health',
  '/api/Bids/1/x',
  '/api/Auctions/1/Purchase/',
  '/api/Auctions/1/Cancellations',
  '/api/Auctions//Cancellation',
])('%s is 404, with and without a token', async (path) => {
  for (const client of [anna, anonymousOf(server)]) {
    expect(await client.get(path)).toMatchObject(problem(404, 'not-found'))
    expect(await client.post(path, '{', { 'content-type': 'text/plain' })).toMatchObject(problem(404, 'not-found'))
  }
})

const routed = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']

describe.each([
  ['/api/Auctions', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/api/Bids', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/api/%42ids', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/api/auctions/1', ['GET', 'HEAD', 'OPTIONS', 'PATCH']],
  ['/api/Bids/1', ['GET', 'HEAD', 'OPTIONS']],
  ['/api/Auctions/1/bids', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/api/Auctions/1/Purchase', ['OPTIONS', 'POST']],
  ['/api/auctions/1/cancellation', ['OPTIONS', 'POST']],
  ['/openapi.json', ['GET', 'HEAD', 'OPTIONS']],
  ['/asyncapi.json', ['GET', 'HEAD', 'OPTIONS']],
  ['/docs', ['GET', 'HEAD', 'OPTIONS']],
  ['/', ['GET', 'HEAD', 'OPTIONS']],
])('%s', (path, allowed) => {
  test('is 405 for every other method of HTTP', async () => {
    const before = await stored(server)
    const others = METHODS.filter((method) => ![...allowed, 'CONNECT', 'HEAD'].includes(method))
    expect(others).toContain('PROPFIND')
    for (const method of others) {
      const request = requestBytes(method, path, { connection: 'close', 'content-type': 'text/plain' }, 'no JSON')
      const received = await exchange(server.port, request)
      expect(received).toMatch(/^HTTP\/1\.1 405 /)
      // Methods such as PROPFIND, which no route has, get those of the whole server.
      const listed = routed.includes(method) ? allowed : ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
      expect(received).toContain(`\r\nallow: ${listed.join(', ')}\r\n`)
      expect(received).toContain('"code":"method-not-allowed"')
    }
    expect(await stored(server)).toEqual(before)
  })

  test('lists its methods for OPTIONS, without a token', async () => {
    const response = await anonymousOf(server).send('OPTIONS', path)
    expect(response).toMatchObject({ status: 204, text: '' })
    expect(response.headers.get('allow')).toBe(allowed.join(', '))
    const patchType = allowed.includes('PATCH') ? 'application/merge-patch+json' : null
    expect(response.headers.get('accept-patch')).toBe(patchType)
  })
})

test.each(['/api/Auctions/1/Purchase', '/api/Auctions/1/Cancellation'])(
  'HEAD %s is 405, without a body',
  async (path) => {
    const response = await anna.send('HEAD', path)
    expect(response).toMatchObject({ status: 405, text: '' })
    expect(response.headers.get('allow')).toBe('OPTIONS, POST')
  },
)

test.each([
  '/api/Auctions',
  '/api/Auctions/1',
  '/api/Auctions/9007199254740991',
  '/api/Bids/1',
  '/api/Auctions/1/Bids',
  '/api/Auctions/x',
  '/openapi.json',
  '/docs',
  '/',
  '/livez',
])('HEAD %s has the headers of GET, and no body', async (path) => {
  await (await openAuction(server)).placeBid()
  const get = await anna.get(path)
  const head = await anna.send('HEAD', path)
  expect(head.text).toBe('')
  expect(head.status).toBe(get.status)
  for (const name of ['content-type', 'content-length']) expect(head.headers.get(name)).toBe(get.headers.get(name))
})

const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

test('every response has a request id and its media type, and every failure is application/problem+json', async () => {
  const limited = await startServer({ environment: { RATE_LIMIT_MAX: '6', RATE_LIMIT_WINDOW_SECONDS: '1000' } })
  const caller = clientOf(limited)
  const responses = [
    await caller.createAuction(),
    await caller.get('/api/Auctions'),
    await caller.get('/api/Auctions/2'),
    await caller.createAuction({ currency: 'XXX' }),
    await caller.post('/api/Auctions', '{'),
    await caller.post('/api/Auctions', 'x'.repeat(70_000)),
    await caller.post('/api/Auctions', 'x', { 'content-type': 'text/plain' }),
    await caller.placeBid({ bidderId: 1 }),
    await caller.placeBid(),
    await anonymousOf(limited).get('/api/Auctions'),
    await caller.get('/nowhere'),
    await caller.get('/api/Auctions/%zz'),
    await caller.send('PATCH', '/api/Auctions'),
    await caller.send('OPTIONS', '/api/Auctions'),
  ]
  expect(responses.map(({ status }) => status)).toEqual([
    201, 200, 404, 400, 400, 413, 415, 409, 429, 401, 404, 400, 405, 204,
  ])
  expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(responses.length)
  for (const { status, headers, body } of responses) {
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{12}\.\d+$/)
    expect(Object.fromEntries(headers)).toMatchObject(common)
    expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
    if (status < 400) continue
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ success: false, message: expect.any(String), title: expect.any(String), status })
  }
})

test.each(['/api/Auctions/%', '/%zz', '/api/Bids/%ff', '/%c0%80'])(
  '%s is 400, because its percent-encoding is invalid',
  async (path) => {
    expect(await anna.get(path)).toMatchObject(problem(400, 'bad-request'))
  },
)
