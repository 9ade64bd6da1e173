import { METHODS } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { anonymousOf, clientOf, newAuction, newBid, newPurchase, openAuction, problem } from './support/client.ts'
import { creation, rawConnection, requestBytes, stallReader, statusesIn } from './support/raw-connection.ts'
import { serverOfFile, startHeldServer, startServer } from './support/server.ts'
import { stored } from './support/stored.ts'
import { jsonHeaders } from './support/tokens.ts'

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
      const connection = await rawConnection(server.port)
      connection.write(requestBytes(method, path, { connection: 'close', 'content-type': 'text/plain' }, 'no JSON'))
      const received = await connection.ended()
      expect(received).toMatch(/^HTTP\/1\.1 405 /)
      // Methods such as PROPFIND, which no route has, get those of the whole server.
      const listed = routed.includes(method) ? allowed : ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST']
      expect(received).toContain(`\r\nallow: ${listed.join(', ')}\r\n`)
      expect(received).toContain('"code":"method-not-allowed"')
    }
    expect(await stored(server)).toEqual(before)
  })

  test('lists its methods for OPTIONS, without a token', async () => {
    const answer = await anonymousOf(server).send('OPTIONS', path)
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.headers.get('allow')).toBe(allowed.join(', '))
    const patchType = allowed.includes('PATCH') ? 'application/merge-patch+json' : null
    expect(answer.headers.get('accept-patch')).toBe(patchType)
  })
})

test.each(['/api/Auctions/1/Purchase', '/api/Auctions/1/Cancellation'])(
  'HEAD %s is 405, without a body',
  async (path) => {
    const answer = await anna.send('HEAD', path)
    expect(answer).toMatchObject({ status: 405, text: '' })
    expect(answer.headers.get('allow')).toBe('OPTIONS, POST')
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
  const answers = [
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
  expect(answers.map(({ status }) => status)).toEqual([
    201, 200, 404, 400, 400, 413, 415, 409, 429, 401, 404, 400, 405, 204,
  ])
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length)
  for (const { status, headers, body } of answers) {
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

describe('raw bytes:', () => {
  test.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', 'BID / HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
    ['an unknown version', 'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost localhost\r\n\r\n', 400],
    [
      'no Host',
      `GET /api/Auctions HTTP/1.1\r\nauthorization: ${jsonHeaders.authorization}\r\nconnection: close\r\n\r\n`,
      400,
    ],
    [
      'a length that is not a number',
      requestBytes('POST', '/api/Bids', { ...jsonHeaders, 'content-length': 'x' }),
      400,
    ],
    [
      'a length and chunks',
      requestBytes('POST', '/api/Bids', { ...jsonHeaders, 'content-length': '2', 'transfer-encoding': 'chunked' }),
      400,
    ],
    [
      'an invalid chunk',
      `${requestBytes('POST', '/api/Bids', { ...jsonHeaders, 'transfer-encoding': 'chunked' })}zz\r\n{}\r\n0\r\n\r\n`,
      400,
    ],
    ['a path that is too long', requestBytes('GET', `/${'x'.repeat(20_000)}`, {}), 431],
    ['CONNECT', requestBytes('CONNECT', 'localhost:80', {}), 400],
  ])('%s is a problem, and the connection closes', async (_what, bytes, status) => {
    const before = await stored(server)
    const connection = await rawConnection(server.port)
    connection.write(bytes)
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([status])
    expect(received.toLowerCase()).toContain('content-type: application/problem+json\r\n')
    expect(received).toMatch(/x-request-id: \S+/)
    for (const [name, value] of Object.entries(common)) expect(received).toContain(`\r\n${name}: ${value}\r\n`)
    expect(received).toContain('"code":"bad-request"')
    expect(await stored(server)).toEqual(before)
  })

  test.each([
    ['two hosts', 'GET /livez HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
    ['the same host twice', 'GET /livez HTTP/1.1\r\nhost: a\r\nHost: a\r\nconnection: close\r\n\r\n'],
    ['a host with a space', requestBytes('GET', '/livez', { host: 'a b', connection: 'close' })],
    ['a host with a slash', requestBytes('GET', '/livez', { host: 'a/b', connection: 'close' })],
    [
      'a transfer encoding of gzip',
      `${requestBytes('POST', '/api/Auctions', { ...jsonHeaders, 'transfer-encoding': 'gzip, chunked', connection: 'close' })}2\r\n{}\r\n0\r\n\r\n`,
    ],
  ])('%s is 400', async (_what, bytes) => {
    const connection = await rawConnection(server.port)
    connection.write(bytes)
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([400])
    expect(received).toContain('"code":"bad-request"')
  })

  test.each(['localhost', 'a.example:80', '[::1]:3000', ''])('the host %j is valid', async (host) => {
    const connection = await rawConnection(server.port)
    connection.write(requestBytes('GET', '/livez', { host, connection: 'close' }))
    expect(statusesIn(await connection.ended())).toEqual([200])
  })

  test('a body with two content types is 415', async () => {
    const before = await stored(server)
    const connection = await rawConnection(server.port)
    const headers = { ...jsonHeaders, 'Content-Type': 'text/plain', connection: 'close' }
    connection.write(requestBytes('POST', '/api/Auctions', headers, JSON.stringify(newAuction)))
    expect(await connection.ended()).toMatch(/^HTTP\/1\.1 415 [\s\S]*"code":"unsupported-media-type"/)
    expect(await stored(server)).toEqual(before)
  })

  test.each([
    ['DELETE', 'http://shop.example/api/Bids?x=1', 405],
    ['OPTIONS', 'https://shop.example/api/bids', 204],
    ['DELETE', '/api/Bids#%zz', 405],
    ['DELETE', '/api/Bids?%zz', 405],
    ['DELETE', '/api/Bids/%2F', 405],
    ['DELETE', '/api/Bids/%zz', 400],
    ['OPTIONS', '/api/Bids/%zz', 400],
    ['DELETE', 'http://shop.example', 405],
    ['PATCH', 'http://shop.example/api/Auctions/Events', 405],
    ['PATCH', '/api/Auctions/%45vents', 405],
    ['GET', '/api/Auctions/%0a', 404],
    ['GET', '*livez', 404],
    ['PATCH', '*api/Auctions/Events', 404],
    ['DELETE', '/api/Bids/1/2', 404],
  ])('%s %s is %i', async (method, url, status) => {
    const connection = await rawConnection(server.port)
    connection.write(requestBytes(method, url, { connection: 'close' }))
    expect(statusesIn(await connection.ended())).toEqual([status])
  })

  test('OPTIONS * lists the methods of the server', async () => {
    const connection = await rawConnection(server.port)
    connection.write(requestBytes('OPTIONS', '*', {}))
    await connection.until(/\r\n\r\n$/)
    connection.write(requestBytes('GET', '*', { connection: 'close' }))
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([204, 404])
    const headers = { ...common, allow: 'GET, HEAD, OPTIONS, PATCH, POST' }
    for (const [name, value] of Object.entries(headers)) expect(received).toContain(`\r\n${name}: ${value}\r\n`)
  })

  test('a body that ends too early changes nothing', async () => {
    const before = await stored(server)
    const connection = await rawConnection(server.port)
    connection.write(creation.slice(0, -1))
    connection.socket.end()
    await connection.ended()
    expect(await stored(server)).toEqual(before)
  })

  test('an unknown expectation is ignored, and 100-continue works', async () => {
    const body = JSON.stringify(newAuction)
    for (const [expect_, statuses] of [
      ['the-spanish-inquisition', [201]],
      ['100-continue', [100, 201]],
    ] as const) {
      const connection = await rawConnection(server.port)
      connection.write(
        requestBytes('POST', '/api/Auctions', { ...jsonHeaders, connection: 'close', expect: expect_ }, body),
      )
      expect(statusesIn(await connection.ended())).toEqual(statuses)
    }
  })
})

describe('while the server closes', () => {
  test('requests in flight complete, new requests are 503, and idle connections close', async () => {
    const server = await startHeldServer()
    const silent = await rawConnection(server.port)
    const connection = await rawConnection(server.port)
    connection.write(creation)
    await server.begun
    const kept = await rawConnection(server.port)
    kept.write(requestBytes('GET', '/livez', {}))
    await kept.until(/\}$/)
    const closed = server.app.close()
    kept.write(creation)
    const refused = await kept.ended()
    expect(statusesIn(refused)).toEqual([200, 503])
    expect(refused).toContain('"code":"overloaded"')
    expect(refused).toMatch(/HTTP\/1\.1 503 [^{]*\r\nconnection: close/i)
    server.release()
    expect(statusesIn(await connection.ended())).toEqual([201])
    await closed
    await silent.ended()
    expect(await stored(server)).toEqual({ auctions: 1, bids: 0 })
  })

  test('it cannot start to drain', async () => {
    const server = await startHeldServer()
    const other = await rawConnection(server.port)
    const connection = await rawConnection(server.port)
    connection.write(creation)
    await server.begun
    const closed = server.app.close()
    // The phase changes in a hook.
    await vi.waitUntil(() => server.lifecycle.isDraining())
    server.lifecycle.drain()
    other.write(requestBytes('GET', '/api/Auctions', jsonHeaders))
    expect(statusesIn(await other.until(/\}$/))).toEqual([503])
    server.release()
    await closed
  })

  test('a request to the closed service is 503, and not logged as an error', async () => {
    const server = await startServer()
    await server.service.close()
    for (const late of [await clientOf(server).createAuction(), await clientOf(server).get('/api/Auctions/1')]) {
      expect(late).toMatchObject(problem(503, 'overloaded', { message: expect.stringContaining('shutting down') }))
    }
    expect(server.log.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  })

  test('a response that a client still reads is sent completely', async () => {
    const server = await startServer()
    const connection = await rawConnection(server.port)
    const sent = await stallReader(server, connection, requestBytes('GET', '/docs/swagger-ui-bundle.js', {}))
    const idle = await rawConnection(server.port)
    const closed = server.app.close()
    connection.socket.resume()
    let received = await connection.ended()
    let count = 0
    for (; received !== ''; count += 1) {
      const [head = '', ...rest] = received.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head.replaceAll('\r', ''))?.[1])
      const body = rest.join('\r\n\r\n')
      expect(body.length).toBeGreaterThanOrEqual(length)
      received = body.slice(length)
    }
    expect(count).toBe(sent)
    await idle.ended()
    await closed
  })
})
