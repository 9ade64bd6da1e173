import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { stopTime } from '../../../tools/vitest/time.ts'
import { clientOf, problem } from './support/client.ts'
import { jsonResponse, type KeySetServer, keySetServer } from './support/key-set-server.ts'
import { startServer, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { encodePart, epochSeconds, permissions, signedBy } from './support/tokens.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const next = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid })
const goodSet = { keys: [jwk(ec.publicKey, 'ec')] }
const nextSet = { keys: [jwk(next.publicKey, 'next')] }

const signedWith = (key: KeyObject, kid: string, claims: object = {}) =>
  signedBy(key, { alg: 'ES256', kid }, { sub: 'anna', permissions, ...claims })
/** A valid token that is different every time, so that none is cached. */
const freshToken = () => signedWith(ec.privateKey, 'ec', { jti: randomUUID() })
const nextToken = () => signedWith(next.privateKey, 'next', { jti: randomUUID() })

const startServerFor = ({ url }: KeySetServer, environment: Readonly<Record<string, string>> = {}) =>
  startServer({ environment: { JWT_JWKS_URL: url, RATE_LIMIT_MAX: '1000000', ...environment } })

const statusOf = async (server: TestServer, token: string): Promise<number> =>
  (await clientOf(server, token).get('/api/Auctions')).status

const errorsIn = ({ log }: TestServer) => log.filter((line) => /"level":[56]0/.test(line))
const failed = /key set of JWT_JWKS_URL cannot be fetched/
const recovered = /key set of JWT_JWKS_URL is fetched again/

/** Closes the connection before the response is complete. */
const cutOff: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"keys":[', () => response.destroy())
}

/** Sends data until the client closes the connection. */
const endless: RequestListener = (_request, response) => {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}

describe('without a key set, because the issuer', () => {
  test.each<[what: string, listener: RequestListener]>([
    ['responds with an error', jsonResponse('', 503)],
    ['responds with 404 and a key set', jsonResponse(goodSet, 404)],
    ['responds with HTML', jsonResponse('<html>')],
    ['responds with an empty body', jsonResponse('')],
    ['responds with other JSON', jsonResponse({ keys: 1 })],
    ['responds with an endless body', endless],
    ['responds with a set that is too large', jsonResponse({ ...goodSet, more: 'x'.repeat(1_100_000) })],
    ['closes the connection', cutOff],
  ])('%s, a request gets 503 issuer-unavailable, and the log one error', async (_what, listener) => {
    const keySet = await keySetServer(listener)
    const server = await startServerFor(keySet)
    const refused = await unchanged(server, async () => clientOf(server, freshToken()).createAuction())
    expect(refused).toMatchObject(problem(503, 'issuer-unavailable'))
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(refused.headers.get('www-authenticate')).toBeNull()
    expect(refused.text).not.toMatch(/jwks|fetch/i)
    expect(await statusOf(server, freshToken())).toBe(503)
    expect(errorsIn(server)).toEqual([expect.stringMatching(failed)])
  })

  test('is not reachable, a request gets 503', async () => {
    const keySet = await keySetServer(jsonResponse(goodSet))
    await keySet.stop()
    const server = await startServerFor(keySet)
    expect(await clientOf(server, freshToken()).get('/api/Auctions')).toMatchObject(problem(503, 'issuer-unavailable'))
    expect(errorsIn(server)[0]).toContain('ECONNREFUSED')
  })

  test('redirects, a request gets 503, and the redirect is not followed', async () => {
    const elsewhere = await keySetServer(jsonResponse(goodSet))
    const keySet = await keySetServer((_request, response) => {
      response.writeHead(302, { location: elsewhere.url }).end()
    })
    const server = await startServerFor(keySet)
    expect(await statusOf(server, freshToken())).toBe(503)
    expect(elsewhere.requests()).toBe(0)
  })

  test.each<[what: string, listener: RequestListener]>([
    ['does not respond', () => undefined],
    ['does not complete its response', (_request, response) => void response.writeHead(200).write('{"keys":')],
  ])('%s, a request gets 503 after five seconds', async (_what, listener) => {
    const timeout = new AbortController()
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
    onTestFinished(() => timeouts.mockRestore())
    const keySet = await keySetServer(listener)
    const server = await startServerFor(keySet)
    const response = await keySet.asked(1)
    const waiting = clientOf(server, freshToken()).get('/api/Auctions')
    await once(server.app.server, 'request')
    timeout.abort()
    expect(await waiting).toMatchObject(problem(503, 'issuer-unavailable'))
    expect(timeouts).toHaveBeenCalledWith(5_000)
    if (!response.destroyed) await once(response, 'close')
    expect(keySet.requests()).toBe(1)
  })
})

describe('in an outage', () => {
  /** Starts a server with a good set, and an outage half a minute later. */
  async function beginOutage(pass: (seconds: number) => void, environment: Readonly<Record<string, string>> = {}) {
    const keySet = await keySetServer(jsonResponse(goodSet))
    const server = await startServerFor(keySet, environment)
    expect(await statusOf(server, freshToken())).toBe(200)
    keySet.respondWith(jsonResponse('', 500))
    pass(30)
    expect(await statusOf(server, freshToken())).toBe(200)
    await server.logged(failed)
    return { keySet, server }
  }

  test('requests do not wait, and cause one fetch in five seconds', async () => {
    const { pass } = stopTime()
    const { keySet, server } = await beginOutage(pass)
    // This fetch gets no response.
    keySet.respondWith(() => undefined)
    const invented = Array.from({ length: 30 }, (_, index) => `${encodePart({ alg: 'ES256', kid: index })}.e30.AAAA`)
    const statuses = async () =>
      new Set(
        await Promise.all(
          [...invented, ...Array.from({ length: 30 }, nextToken)].map((token) => statusOf(server, token)),
        ),
      )
    pass(4.9)
    expect(await statuses()).toEqual(new Set([503]))
    expect(keySet.requests()).toBe(2)
    pass(25.1)
    expect(await statuses()).toEqual(new Set([503]))
    expect(await statusOf(server, freshToken())).toBe(200)
    expect((await keySet.asked(3)).destroyed).toBe(false)
    expect(keySet.requests()).toBe(3)
    expect(errorsIn(server)).toHaveLength(1)
  })

  test('a token that no key makes valid is 401', async () => {
    const keySet = await keySetServer(jsonResponse('', 500))
    const server = await startServerFor(keySet)
    const [header = '', payload = ''] = freshToken().split('.')
    const hopeless = [
      'garbage',
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${encodePart('anna')}.AAAA`,
      `${encodePart({ alg: 'none' })}.${payload}.AAAA`,
      `${encodePart({ alg: 'HS256' })}.${payload}.AAAA`,
      signedWith(ec.privateKey, 'ec', { exp: epochSeconds() - 10 }),
      signedWith(ec.privateKey, 'ec', { nbf: epochSeconds() + 100 }),
      signedWith(ec.privateKey, 'ec', { exp: 'never' }),
    ]
    const statuses = await Promise.all(hopeless.map((token) => statusOf(server, token)))
    expect(statuses).toEqual(hopeless.map(() => 401))
  })

  test('the log has one line for the outage and one for its end', async () => {
    const { pass } = stopTime()
    const { keySet, server } = await beginOutage(pass)
    for (const requests of [3, 4, 5]) {
      pass(5)
      expect(await statusOf(server, freshToken())).toBe(200)
      const response = await keySet.asked(requests)
      if (!response.writableFinished) await once(response, 'finish')
    }
    keySet.respondWith(jsonResponse(goodSet))
    pass(5)
    expect(await statusOf(server, freshToken())).toBe(200)
    await server.logged(recovered)
    pass(30)
    // This one waits for the next fetch.
    expect(await statusOf(server, nextToken())).toBe(401)
    expect(server.log.filter((line) => failed.test(line))).toHaveLength(1)
    expect(server.log.filter((line) => recovered.test(line))).toHaveLength(1)
  })

  test.each([
    ['0', 0],
    ['100', 100],
    [undefined, 600],
  ])('the last good set counts for its minute and JWT_JWKS_MAX_STALE_SECONDS=%s more', async (given, seconds) => {
    const { pass } = stopTime()
    const { server } = await beginOutage(pass, given === undefined ? {} : { JWT_JWKS_MAX_STALE_SECONDS: given })
    const known = freshToken()
    expect(await statusOf(server, known)).toBe(200)
    pass(29.999 + seconds)
    expect(await statusOf(server, known)).toBe(200)
    expect(await statusOf(server, freshToken())).toBe(200)
    pass(0.001)
    expect(await statusOf(server, known)).toBe(503)
    expect(await statusOf(server, freshToken())).toBe(503)
    expect(errorsIn(server)).toHaveLength(1)
  })

  test('a token with a key that is not in the last set is 503: the key may be new', async () => {
    const { server } = await beginOutage(stopTime().pass)
    expect(await statusOf(server, nextToken())).toBe(503)
    expect(await statusOf(server, freshToken())).toBe(200)
  })

  test('a withdrawn key is refused 25 seconds after the outage ends', async () => {
    const { pass } = stopTime()
    const { keySet, server } = await beginOutage(pass)
    keySet.respondWith(jsonResponse(nextSet))
    pass(5)
    const token = freshToken()
    expect(await statusOf(server, token)).toBe(200)
    await server.logged(recovered)
    pass(25)
    expect(await statusOf(server, token)).toBe(401)
  })
})

describe('a key set', () => {
  test('is refreshed every half minute, and requests with known keys do not wait', async () => {
    const { pass } = stopTime()
    const keySet = await keySetServer(jsonResponse(goodSet))
    const server = await startServerFor(keySet)
    expect(await statusOf(server, freshToken())).toBe(200)
    expect(keySet.requests()).toBe(1)
    keySet.respondWith(() => undefined)
    pass(30)
    // The fetch gets its response only after this request.
    expect(await statusOf(server, freshToken())).toBe(200)
    const refresh = await keySet.asked(2)
    const waiting = statusOf(server, nextToken())
    refresh.end(JSON.stringify(nextSet))
    expect(await waiting).toBe(200)
    expect(errorsIn(server)).toEqual([])
  })

  test.each([0, 10, 29, 34.9])(
    'is as old as its request, so a withdrawn key counts for less than a minute: verified after %s s',
    async (verifiedAfter) => {
      const { pass } = stopTime()
      const keySet = await keySetServer(() => undefined)
      const server = await startServerFor(keySet)
      const response = await keySet.asked(1)
      // The issuer withdraws the key while its response is in transit, which takes nearly five seconds.
      const token = freshToken()
      const first = statusOf(server, freshToken())
      pass(4.9)
      response.end(JSON.stringify(goodSet))
      keySet.respondWith(jsonResponse(nextSet))
      expect(await first).toBe(200)
      pass(Math.max(0, verifiedAfter - 4.9))
      expect(await statusOf(server, token)).toBe(200)
      pass(60 - Math.max(4.9, verifiedAfter))
      expect(await statusOf(server, token)).toBe(401)
    },
  )

  test('is as old as its request, even if the next request is due before the response', async () => {
    const { pass } = stopTime()
    const keySet = await keySetServer(jsonResponse('', 500))
    const server = await startServerFor(keySet)
    await server.logged(failed)
    keySet.respondWith(() => undefined)
    for (const _request of ['first', 'second']) {
      pass(5)
      expect(await statusOf(server, freshToken())).toBe(503)
    }
    const response = await keySet.asked(2)
    response.end(JSON.stringify(goodSet))
    await server.logged(recovered)
    expect(await statusOf(server, freshToken())).toBe(200)
    keySet.respondWith(jsonResponse(nextSet))
    pass(55)
    expect(await statusOf(server, freshToken())).toBe(401)
  })

  test.each([3_600, -3_600])('is fetched again when the clock is moved by %s seconds', async (seconds) => {
    const { moveClock } = stopTime()
    const keySet = await keySetServer(jsonResponse(goodSet))
    const server = await startServerFor(keySet)
    expect(await statusOf(server, freshToken())).toBe(200)
    keySet.respondWith(jsonResponse(nextSet))
    moveClock(seconds)
    expect(await statusOf(server, freshToken())).toBe(401)
    expect(keySet.requests()).toBe(2)
  })

  test('is fetched again for an unknown key, at most once in five seconds', async () => {
    const { pass } = stopTime()
    const keySet = await keySetServer(jsonResponse(goodSet))
    const server = await startServerFor(keySet)
    const statuses = async () =>
      new Set(await Promise.all(Array.from({ length: 8 }, nextToken).map((token) => statusOf(server, token))))
    pass(4.999)
    expect(await statuses()).toEqual(new Set([401]))
    expect(keySet.requests()).toBe(1)
    pass(0.001)
    expect(await statuses()).toEqual(new Set([401]))
    expect(keySet.requests()).toBe(2)
    keySet.respondWith(jsonResponse(nextSet))
    expect(await statuses()).toEqual(new Set([401]))
    pass(5)
    expect(await statuses()).toEqual(new Set([200]))
    expect(keySet.requests()).toBe(3)
  })
})
