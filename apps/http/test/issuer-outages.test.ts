import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { clientOf, problem } from './support/client.ts'
import { answering, type KeySetServer, keySetServer } from './support/key-set-server.ts'
import { startServer, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { stopTime } from './support/time.ts'
import { encodePart, epochSeconds, permissions, signedBy } from './support/tokens.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const next = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid })
const goodSet = { keys: [jwk(ec.publicKey, 'ec')] }
const nextSet = { keys: [jwk(next.publicKey, 'next')] }

const signedWith = (key: KeyObject, kid: string, claims: object = {}) =>
  signedBy(key, { alg: 'ES256', kid }, { sub: 'anna', permissions, ...claims })
/** Good tokens, no two of which are the same, so that none is known from before. */
const freshToken = () => signedWith(ec.privateKey, 'ec', { jti: randomUUID() })
const nextToken = () => signedWith(next.privateKey, 'next', { jti: randomUUID() })

const startServerFor = ({ url }: KeySetServer, environment: Readonly<Record<string, string>> = {}) =>
  startServer({ environment: { JWT_JWKS_URL: url, RATE_LIMIT_MAX: '1000000', LOG_LEVEL: 'debug', ...environment } })

const statusOf = async (server: TestServer, token: string): Promise<number> =>
  (await clientOf(server, token).get('/api/Auctions')).status

const errorsIn = ({ log }: TestServer) => log.filter((line) => /"level":[56]0/.test(line))
const fetched = /a key set is fetched/
const notFetched = /no key set is fetched/

/** Breaks the connection within the answer. */
const cutOff: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"keys":[', () => response.destroy())
}

/** Sends more than is read, for as long as somebody reads. */
const endless: RequestListener = (_request, response) => {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}

describe('a key set that can’t be had', () => {
  test.each<[what: string, answer: RequestListener, reason: string]>([
    ['answers with an error', answering('secret detail', 503), 'it answers with status 503'],
    ['answers 404 with a key set', answering(goodSet, 404), 'it answers with status 404'],
    ['answers with no JSON', answering('<html>secret detail'), 'its answer is no JWK set'],
    ['answers with nothing', answering(''), 'its answer is no JWK set'],
    ['answers with another kind of JSON', answering({ keys: 1, more: 'secret detail' }), 'its answer is no JWK set'],
    ['answers with a list', answering(goodSet.keys), 'its answer is no JWK set'],
    ['sends bytes without end', endless, 'its answer is larger than 1048576 bytes'],
    ['is too large', answering({ ...goodSet, more: 'x'.repeat(1_100_000) }), 'its answer is larger than 1048576 bytes'],
    ['breaks off', cutOff, 'the connection fails (UND_ERR_SOCKET)'],
  ])('is 503 issuer-unavailable, and its cause is logged once: one that %s', async (_what, answer, reason) => {
    const keySet = await keySetServer(answer)
    const server = await startServerFor(keySet)
    const failed = await unchanged(server, async () => clientOf(server, freshToken()).createAuction())
    expect(failed).toMatchObject(problem(503, 'issuer-unavailable'))
    expect(failed.headers.get('retry-after')).toBe('1')
    expect(failed.headers.get('www-authenticate')).toBeNull()
    expect(failed.text).not.toMatch(/jwks|fetch|status 503|detail/i)
    expect(errorsIn(server).map((line) => JSON.parse(line))).toMatchObject([
      { reason, usableForSeconds: 0, msg: 'the key set of JWT_JWKS_URL can not be fetched' },
    ])
    expect(errorsIn(server)[0]).not.toMatch(/secret detail|127\.0\.0\.1|stack/)
  })

  test('is 503 where nothing listens', async () => {
    const keySet = await keySetServer(answering(goodSet))
    await keySet.stop()
    const server = await startServerFor(keySet)
    expect(await clientOf(server, freshToken()).get('/api/Auctions')).toMatchObject(problem(503, 'issuer-unavailable'))
    expect(errorsIn(server)[0]).toContain('the connection fails (ECONNREFUSED)')
  })

  test('is 503 when it redirects, and the other address is not asked', async () => {
    const elsewhere = await keySetServer(answering(goodSet))
    const keySet = await keySetServer((_request, response) => {
      response.writeHead(302, { location: elsewhere.url }).end()
    })
    const server = await startServerFor(keySet)
    expect(await statusOf(server, freshToken())).toBe(503)
    expect(elsewhere.requests()).toBe(0)
    expect(errorsIn(server)[0]).toContain('it answers with status 302')
  })

  const drip: RequestListener = (_request, response) => {
    response.writeHead(200).write('{"keys":')
  }
  test.each<[what: string, answer: RequestListener]>([
    ['never answers', () => undefined],
    ['never ends its answer', drip],
  ])('is 503 after five seconds when it %s; its connection is closed', async (_what, answer) => {
    const { pass } = stopTime()
    const keySet = await keySetServer(answer)
    const server = await startServerFor(keySet)
    const response = await keySet.asked(1)
    const waiting = clientOf(server, freshToken()).get('/api/Auctions')
    pass(4.999)
    expect(errorsIn(server)).toEqual([])
    pass(0.001)
    expect(await waiting).toMatchObject(problem(503, 'issuer-unavailable'))
    if (!response.destroyed) await once(response, 'close')
    expect(errorsIn(server)[0]).toContain('it has not answered within 5 s')
    expect(keySet.requests()).toBe(1)
  })

  test('does not keep a server from closing', async () => {
    const keySet = await keySetServer(() => undefined)
    const server = await startServerFor(keySet)
    const response = await keySet.asked(1)
    const waiting = clientOf(server, freshToken()).get('/api/Auctions')
    await once(server.app.server, 'request')
    await server.app.close()
    expect((await waiting).status).toBe(503)
    if (!response.destroyed) await once(response, 'close')
    expect(errorsIn(server)).toEqual([])
  })
})

describe('in an outage', () => {
  /** Starts a server with a good set, whose refresh after half a minute has just failed. */
  async function beginOutage(pass: (seconds: number) => void, environment: Readonly<Record<string, string>> = {}) {
    const keySet = await keySetServer(answering(goodSet))
    const server = await startServerFor(keySet, environment)
    await server.logged(fetched)
    keySet.answerWith(answering('', 500))
    pass(30)
    await server.logged(notFetched)
    return { keySet, server }
  }

  test('nobody’s request makes a fetch, and none is 500', async () => {
    stopTime()
    const keySet = await keySetServer(answering('', 500))
    const server = await startServerFor(keySet)
    await server.logged(notFetched)
    const garbage = Array.from(
      { length: 30 },
      (_, index) => `${encodePart({ alg: 'ES256', kid: `k${index}` })}.e30.AAAA`,
    )
    const good = Array.from({ length: 30 }, freshToken)
    const statuses = await Promise.all([...garbage, ...good].map((token) => statusOf(server, token)))
    expect(new Set(statuses)).toEqual(new Set([503]))
    expect(keySet.requests()).toBe(1)
    expect(errorsIn(server)).toHaveLength(1)
  })

  test('a token that no key makes valid is 401', async () => {
    const keySet = await keySetServer(answering('', 500))
    const server = await startServerFor(keySet)
    const [header = '', payload = ''] = freshToken().split('.')
    const hopeless = [
      'garbage',
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${encodePart('anna')}.AAAA`,
      `${encodePart({ alg: 'none' })}.${payload}.AAAA`,
      `${encodePart({ alg: 'HS256' })}.${payload}.AAAA`,
      signedWith(ec.privateKey, 'ec', { exp: epochSeconds() - 1 }),
      signedWith(ec.privateKey, 'ec', { nbf: epochSeconds() + 100 }),
      signedWith(ec.privateKey, 'ec', { exp: 'never' }),
    ]
    const statuses = await Promise.all(hopeless.map((token) => statusOf(server, token)))
    expect(statuses).toEqual(hopeless.map(() => 401))
  })

  test('fetches come one at a time, after 1, 2, 4, 8, 16 and 30 seconds, until one succeeds', async () => {
    const { pass } = stopTime()
    const keySet = await keySetServer(answering('', 500))
    const server = await startServerFor(keySet)
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      const failures = index + 1
      await server.logged(notFetched, failures)
      const refused = await clientOf(server, freshToken()).get('/api/Auctions')
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe(String(seconds))
      pass(seconds - 0.001)
      expect(keySet.requests()).toBe(failures)
      pass(0.001)
      await keySet.asked(failures + 1)
    }
    await server.logged(notFetched, 8)
    keySet.answerWith(answering(goodSet))
    pass(30)
    await server.logged(fetched)
    expect(await statusOf(server, freshToken())).toBe(200)
    expect(errorsIn(server)).toHaveLength(1)
    const recovered = server.log.filter((line) => line.includes('is fetched again'))
    expect(recovered.map((line) => JSON.parse(line))).toMatchObject([{ level: 30, outageSeconds: 121 }])
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
    expect(JSON.parse(errorsIn(server)[0] ?? '')).toMatchObject({ usableForSeconds: 30 + seconds })
    pass(29.999 + seconds)
    expect(await statusOf(server, known)).toBe(200)
    expect(await statusOf(server, freshToken())).toBe(200)
    pass(0.001)
    expect(await statusOf(server, known)).toBe(503)
    expect(await statusOf(server, freshToken())).toBe(503)
    expect(errorsIn(server)).toHaveLength(1)
  })

  test('a token of a key that the last set does not have is 503: the key may be new', async () => {
    const { server } = await beginOutage(stopTime().pass)
    expect(await statusOf(server, nextToken())).toBe(503)
    expect(await statusOf(server, freshToken())).toBe(200)
  })

  test('a key that was withdrawn meanwhile is dead within five seconds of its end', async () => {
    const { pass } = stopTime()
    const { keySet, server } = await beginOutage(pass)
    pass(31)
    await server.logged(notFetched, 2)
    const token = freshToken()
    expect(await statusOf(server, token)).toBe(200)
    keySet.answerWith(answering(nextSet))
    pass(2)
    await server.logged(/is fetched again/)
    expect(await statusOf(server, token)).toBe(200)
    pass(3)
    expect(await statusOf(server, token)).toBe(401)
  })
})

describe('a key set that can be had', () => {
  test('is refreshed every half minute, and no request waits for that', async () => {
    const { pass } = stopTime()
    const keySet = await keySetServer(answering(goodSet))
    const server = await startServerFor(keySet)
    await server.logged(fetched)
    expect(keySet.requests()).toBe(1)
    keySet.answerWith(() => undefined)
    pass(30)
    const refresh = await keySet.asked(2)
    // It has not answered yet, and waits for this test to let it.
    expect(await statusOf(server, freshToken())).toBe(200)
    refresh.end(JSON.stringify(nextSet))
    await server.logged(fetched, 2)
    expect(await statusOf(server, nextToken())).toBe(200)
    expect(errorsIn(server)).toEqual([])
  })

  test.each([0, 10, 29, 30, 34.9])(
    'does not let a key live for a minute that it withdrew, whenever its token was verified: after %s s',
    async (verifiedAfter) => {
      const { pass } = stopTime()
      const keySet = await keySetServer(answering(goodSet))
      const server = await startServerFor(keySet)
      await server.logged(fetched)
      // The answer was on its way already.
      keySet.answerWith(() => undefined)
      const token = freshToken()
      pass(verifiedAfter)
      expect(await statusOf(server, token)).toBe(200)
      // The issuer takes nearly all the time that it has.
      pass(34.9 - verifiedAfter)
      const refresh = await keySet.asked(2)
      keySet.answerWith(answering(nextSet))
      refresh.end(JSON.stringify(nextSet))
      await server.logged(fetched, 2)
      pass(25)
      expect(await statusOf(server, token)).toBe(401)
    },
  )

  test('is waited for where it is older than its minute, as after a pause of the whole process', async () => {
    const { moveClock } = stopTime()
    const keySet = await keySetServer(answering(goodSet))
    const server = await startServerFor(keySet)
    await server.logged(fetched)
    const token = freshToken()
    expect(await statusOf(server, token)).toBe(200)
    keySet.answerWith(answering(nextSet))
    moveClock(3_600)
    expect(await statusOf(server, token)).toBe(401)
    expect(keySet.requests()).toBe(2)
  })

  test('is refreshed as often when the clock is set back', async () => {
    const { pass, moveClock } = stopTime()
    const keySet = await keySetServer(() => undefined)
    const server = await startServerFor(keySet)
    const response = await keySet.asked(1)
    moveClock(-3_600)
    keySet.answerWith(answering(nextSet))
    response.end(JSON.stringify(goodSet))
    await server.logged(fetched)
    pass(30)
    await server.logged(fetched, 2)
    expect(await statusOf(server, nextToken())).toBe(200)
  })

  test('is asked again for a key that it has not, once in ten seconds at most', async () => {
    const { pass } = stopTime()
    const keySet = await keySetServer(answering(goodSet))
    const server = await startServerFor(keySet)
    await server.logged(fetched)
    const askTen = async () =>
      Promise.all(Array.from({ length: 10 }, nextToken).map((token) => statusOf(server, token)))
    pass(9.999)
    expect(new Set(await askTen())).toEqual(new Set([401]))
    expect(keySet.requests()).toBe(1)
    pass(0.001)
    expect(new Set(await askTen())).toEqual(new Set([401]))
    expect(keySet.requests()).toBe(2)
    keySet.answerWith(answering(nextSet))
    expect(new Set(await askTen())).toEqual(new Set([401]))
    pass(10)
    expect(new Set(await askTen())).toEqual(new Set([200]))
    expect(keySet.requests()).toBe(3)
  })

  test('may be empty: then no token is valid, and the log tells it once', async () => {
    const { pass } = stopTime()
    const keySet = await keySetServer(answering({ keys: [] }))
    const server = await startServerFor(keySet)
    await server.logged(fetched)
    expect(await statusOf(server, freshToken())).toBe(401)
    pass(30)
    await server.logged(fetched, 2)
    expect(server.log.filter((line) => line.includes('has no key that can be used'))).toHaveLength(1)
  })
})
