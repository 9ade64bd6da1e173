import { METHODS } from 'node:http'
import { describe, expect, test } from 'vitest'
import { anonymousOf, clientOf, newAuction, newBid, newPurchase, problem } from './support/client.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'
import { stallReader } from './support/slow-reader.ts'
import { stored, unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

const authorization = `Bearer ${tokenOf('anna')}`
const json = { authorization, 'content-type': 'application/json' }

test.each([
  ['/api/auctions', '/api/bids'],
  ['/API/AUCTIONS', '/API/BIDS'],
  ['/aPi/Auctions', '/Api/bIds'],
])('paths match whatever their letter case: %s', async (auctions, bids) => {
  const anna = clientOf(await startServer())
  const created = await anna.post(auctions, newAuction)
  const placed = await anna.post(bids, newBid)
  expect(created.headers.get('location')).toBe('/api/Auctions/1')
  expect(placed.headers.get('location')).toBe('/api/Bids/1')
  expect((await anna.get(`${auctions}/1/BIDS`)).status).toBe(200)
  await anna.post(auctions, { ...newAuction, buyNowPrice: 500 })
  const bought = await anna.post(`${auctions}/2/pURCHASE`, newPurchase)
  expect([bought.status, bought.headers.get('location')]).toEqual([201, '/api/Auctions/2'])
  await anna.post(auctions, newAuction)
  const cancelled = await anna.post(`${auctions}/3/CANCELLATION`, {})
  expect([cancelled.status, cancelled.headers.get('location')]).toEqual([201, '/api/Auctions/3'])
})

test.each([
  '/',
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
])('%s is 404, with a token and without', async (path) => {
  const server = await startServer()
  for (const client of [clientOf(server), anonymousOf(server)]) {
    expect(await client.get(path)).toMatchObject(problem(404, 'not-found'))
    expect(await client.post(path, '{', { 'content-type': 'text/plain' })).toMatchObject(problem(404, 'not-found'))
  }
})

describe.each([
  ['/api/Auctions', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ['/api/Bids', ['OPTIONS', 'POST']],
  ['/api/auctions/1', ['GET', 'HEAD', 'OPTIONS']],
  ['/api/Bids/1', ['GET', 'HEAD', 'OPTIONS']],
  ['/api/Auctions/1/bids', ['GET', 'HEAD', 'OPTIONS']],
  ['/api/Auctions/1/Purchase', ['OPTIONS', 'POST']],
  ['/api/auctions/1/cancellation', ['OPTIONS', 'POST']],
  ['/openapi.json', ['GET', 'HEAD', 'OPTIONS']],
  ['/docs', ['GET', 'HEAD', 'OPTIONS']],
])('%s', (path, allowed) => {
  test('is 405 for every other method that HTTP has, whatever comes with it', async () => {
    const server = await startServer()
    const others = METHODS.filter((method) => ![...allowed, 'CONNECT', 'HEAD'].includes(method))
    expect(others).toContain('PROPFIND')
    for (const method of others) {
      const connection = await rawConnection(server.port)
      connection.write(requestBytes(method, path, { connection: 'close', 'content-type': 'text/plain' }, 'no JSON'))
      const received = await connection.ended()
      expect(received).toMatch(/^HTTP\/1\.1 405 /)
      expect(received).toContain(`\r\nallow: ${allowed.join(', ')}\r\n`)
      expect(received).toContain('"code":"method-not-allowed"')
    }
    expect(await stored(server)).toEqual({ auctions: 0, bids: 0 })
  })

  test('says by OPTIONS which methods there are, to anybody', async () => {
    const answer = await anonymousOf(await startServer()).send('OPTIONS', path)
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.headers.get('allow')).toBe(allowed.join(', '))
  })
})

test.each(['/api/Bids', '/api/Auctions/1/Purchase', '/api/Auctions/1/Cancellation'])(
  'HEAD %s is 405, without a body',
  async (path) => {
    const answer = await clientOf(await startServer()).send('HEAD', path)
    expect(answer).toMatchObject({ status: 405, text: '' })
    expect(answer.headers.get('allow')).toBe('OPTIONS, POST')
  },
)

test.each([
  '/api/Auctions',
  '/api/Auctions/1',
  '/api/Auctions/2',
  '/api/Bids/1',
  '/api/Auctions/1/Bids',
  '/api/Auctions/x',
  '/openapi.json',
  '/docs',
  '/livez',
])('HEAD %s answers the headers of GET, without a body', async (path) => {
  const anna = clientOf(await startServer())
  await anna.createAuction()
  await anna.placeBid()
  const get = await anna.get(path)
  const head = await anna.send('HEAD', path)
  expect(head.text).toBe('')
  expect(head.status).toBe(get.status)
  for (const name of ['content-type', 'content-length']) expect(head.headers.get(name)).toBe(get.headers.get(name))
})

test('every answer has a request id of its own; a failure is application/problem+json, to the letter', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  const answers = [
    await anna.createAuction(),
    await anna.createAuction({ currency: 'XXX' }),
    await anonymousOf(server).createAuction(),
    await anna.get('/nowhere'),
    await anna.get('/api/Auctions/%zz'),
    await anna.send('PATCH', '/api/Auctions'),
    await anna.post('/api/Auctions', '{'),
  ]
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length)
  for (const { status, headers, body } of answers) {
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{12}\.\d+$/)
    if (status === 201) continue
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ success: false, message: expect.any(String), title: expect.any(String), status })
  }
})

test.each(['/api/Auctions/%', '/%zz', '/api/Bids/%ff', '/%c0%80'])('%s is not percent-encoded: 400', async (path) => {
  expect(await clientOf(await startServer()).get(path)).toMatchObject(problem(400, 'bad-request'))
})

describe('byte by byte', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a method that is none', 'BID / HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
    ['a version that is none', 'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost localhost\r\n\r\n', 400],
    ['no Host', `GET /api/Auctions HTTP/1.1\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`, 400],
    ['a length that is no number', requestBytes('POST', '/api/Bids', { ...json, 'content-length': 'x' }), 400],
    [
      'a length and chunks',
      requestBytes('POST', '/api/Bids', { ...json, 'content-length': '2', 'transfer-encoding': 'chunked' }),
      400,
    ],
    [
      'a chunk that is none',
      `${requestBytes('POST', '/api/Bids', { ...json, 'transfer-encoding': 'chunked' })}zz\r\n{}\r\n0\r\n\r\n`,
      400,
    ],
    ['a path that is too long', requestBytes('GET', `/${'x'.repeat(20_000)}`, {}), 431],
    ['CONNECT', requestBytes('CONNECT', 'localhost:80', {}), 400],
  ])('%s is answered in the envelope, and ends the connection', async (_what, bytes, status) => {
    const server = await startServer()
    const connection = await rawConnection(server.port)
    connection.write(bytes)
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([status])
    expect(received.toLowerCase()).toContain('content-type: application/problem+json\r\n')
    expect(received).toMatch(/x-request-id: \S+/)
    expect(received).toContain('"code":"bad-request"')
    expect(await stored(server)).toEqual({ auctions: 0, bids: 0 })
  })

  test.each([
    ['two hosts', 'GET /livez HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
    ['the same host twice', 'GET /livez HTTP/1.1\r\nhost: a\r\nHost: a\r\nconnection: close\r\n\r\n'],
    ['a host that is none', requestBytes('GET', '/livez', { host: 'a b', connection: 'close' })],
    ['hosts in one line', requestBytes('GET', '/livez', { host: 'a/b', connection: 'close' })],
    [
      'a body that is compressed on its way',
      `${requestBytes('POST', '/api/Auctions', { ...json, 'transfer-encoding': 'gzip, chunked', connection: 'close' })}2\r\n{}\r\n0\r\n\r\n`,
    ],
  ])('%s is 400', async (_what, bytes) => {
    const connection = await rawConnection((await startServer()).port)
    connection.write(bytes)
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([400])
    expect(received).toContain('"code":"bad-request"')
  })

  test.each(['localhost', 'a.example:80', '[::1]:3000', ''])('the host %j is one', async (host) => {
    const connection = await rawConnection((await startServer()).port)
    connection.write(requestBytes('GET', '/livez', { host, connection: 'close' }))
    expect(statusesIn(await connection.ended())).toEqual([200])
  })

  test('a body of two content types is 415, and stored nowhere', async () => {
    const server = await startServer()
    const connection = await rawConnection(server.port)
    const headers = { ...json, 'Content-Type': 'text/plain', connection: 'close' }
    connection.write(requestBytes('POST', '/api/Auctions', headers, JSON.stringify(newAuction)))
    expect(await connection.ended()).toMatch(/^HTTP\/1\.1 415 [\s\S]*"code":"unsupported-media-type"/)
    expect(await stored(server)).toEqual({ auctions: 0, bids: 0 })
  })

  test('OPTIONS * says which methods the server takes', async () => {
    const connection = await rawConnection((await startServer()).port)
    connection.write(requestBytes('OPTIONS', '*', {}))
    await connection.until(/\r\n\r\n$/)
    connection.write(requestBytes('GET', '*', { connection: 'close' }))
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([204, 404])
    expect(received).toContain('\r\nallow: GET, HEAD, OPTIONS, POST\r\n')
  })

  test('a body that ends too early is stored nowhere', async () => {
    const server = await startServer()
    const connection = await rawConnection(server.port)
    const bytes = requestBytes('POST', '/api/Auctions', json, JSON.stringify(newAuction))
    connection.write(bytes.slice(0, -1))
    connection.socket.end()
    await connection.ended()
    expect(await stored(server)).toEqual({ auctions: 0, bids: 0 })
  })

  test('an expectation that nobody knows is ignored, 100-continue is kept', async () => {
    const server = await startServer()
    const body = JSON.stringify(newAuction)
    for (const [expect_, statuses] of [
      ['the-spanish-inquisition', [201]],
      ['100-continue', [100, 201]],
    ] as const) {
      const connection = await rawConnection(server.port)
      connection.write(requestBytes('POST', '/api/Auctions', { ...json, connection: 'close', expect: expect_ }, body))
      expect(statusesIn(await connection.ended())).toEqual(statuses)
    }
  })
})

describe('while the server closes', () => {
  test('what is under way is answered, what is new on other connections is 503, and the rest of the connections end', async () => {
    const held = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const server = await startServer({
      replaceInStore: ({ insertAuction }) => ({
        insertAuction: async (auction) => {
          started.resolve()
          await held.promise
          return insertAuction(auction)
        },
      }),
    })
    const silent = await rawConnection(server.port)
    const connection = await rawConnection(server.port)
    const post = requestBytes('POST', '/api/Auctions', json, JSON.stringify(newAuction))
    connection.write(post)
    await started.promise
    const kept = await rawConnection(server.port)
    kept.write(requestBytes('GET', '/livez', {}))
    await kept.until(/\}$/)
    const closed = server.app.close()
    kept.write(post)
    const refused = await kept.ended()
    expect(statusesIn(refused)).toEqual([200, 503])
    expect(refused).toContain('"code":"overloaded"')
    expect(refused).toMatch(/HTTP\/1\.1 503 [^{]*\r\nconnection: close/i)
    held.resolve()
    expect(statusesIn(await connection.ended())).toEqual([201])
    await closed
    await silent.ended()
    expect(await stored(server)).toEqual({ auctions: 1, bids: 0 })
  })

  test('what comes to its service too late is 503, and no error of anybody’s', async () => {
    const server = await startServer()
    await server.service.close()
    for (const late of [await clientOf(server).createAuction(), await clientOf(server).get('/api/Auctions/1')]) {
      expect(late).toMatchObject(problem(503, 'overloaded', { message: expect.stringContaining('shutting down') }))
    }
    expect(server.log.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  })

  test('what is still being read is read to its end', async () => {
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

test('no token and no query is logged, and each request is one line', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  await anna.get(`/api/Auctions?access_token=${tokenOf('anna')}`)
  await clientOf(server, tokenOf('anna', { exp: 1 })).placeBid()
  await anna.get('/api/Bids/%zz?secret=1')
  const lines = server.log.map((line) => JSON.parse(line))
  expect(lines.map(({ level, method, path, status, caller }) => [level, method, path, status, caller])).toEqual([
    [30, 'POST', '/api/Auctions', 201, '[null,"anna"]'],
    [30, 'GET', '/api/Auctions', 400, '[null,"anna"]'],
    [30, 'POST', '/api/Bids', 401, undefined],
    [30, 'GET', '/api/Bids/%zz', 400, undefined],
  ])
  for (const { ms, requestId } of lines) expect([typeof ms, typeof requestId]).toEqual(['number', 'string'])
  expect(server.log.join('')).not.toMatch(/eyJ|secret|Bearer/)
})

test('a method that is refused changes nothing', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  const refused = await unchanged(server, () => anna.send('DELETE', '/api/Auctions/1'))
  expect(refused).toMatchObject(problem(405, 'method-not-allowed'))
})
