import { describe, expect, test } from 'vitest'
import { createLogger } from '../src/log/logger.ts'
import { createReadiness } from '../src/server/health.ts'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const paths = ['/livez', '/readyz'] as const
const noAnswer = async (): Promise<never> => {
  throw new Error('it is gone')
}

describe.each(paths)('%s', (path) => {
  test('answers in the envelope, without a token and whatever the token', async () => {
    const server = await startServer()
    for (const token of ['', 'garbage', tokenOf('anna')]) {
      const told = await clientOf(server, token).get(path)
      expect(told).toMatchObject({ status: 200, body: { success: true, data: {} } })
      expect(told.headers.get('cache-control')).toBe('no-store')
    }
    expect((await anonymousOf(server).send('HEAD', path)).status).toBe(200)
    expect(await anonymousOf(server).post(path, {})).toMatchObject(problem(405, 'method-not-allowed'))
  })

  test('counts against no limit', async () => {
    const server = await startServer({ environment: { RATE_LIMIT_MAX: '1' } })
    for (let count = 0; count < 5; count++) {
      const told = await clientOf(server).get(path)
      expect([told.status, told.headers.get('ratelimit')]).toEqual([200, null])
    }
    expect((await clientOf(server).get('/api/Auctions')).status).toBe(200)
  })

  test('is no line of the log at its usual level, as long as all is well', async () => {
    const server = await startServer()
    await anonymousOf(server).get(path)
    await anonymousOf(server).get(`${path}/nowhere`)
    expect(server.log.map((line) => JSON.parse(line))).toMatchObject([{ path: `${path}/nowhere`, status: 404 }])
    const chatty = await startServer({ environment: { LOG_LEVEL: 'debug' } })
    await anonymousOf(chatty).get(path)
    expect(chatty.log.map((line) => JSON.parse(line))).toMatchObject([{ level: 20, path, status: 200 }])
  })
})

test('while the store does not answer, the server lives and is not ready, which the log says once', async () => {
  let isBroken = true
  let nowMs = 0
  const log: string[] = []
  const logger = createLogger('info', { write: (line) => void log.push(line) })
  const readiness = createReadiness(
    async () => (isBroken ? noAnswer() : undefined),
    logger,
    () => nowMs,
  )
  const ask = async () => {
    nowMs += 1_000
    return readiness.storeAnswers()
  }
  expect([await ask(), await ask()]).toEqual([false, false])
  isBroken = false
  expect([await ask(), await ask()]).toEqual([true, true])
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, err: { message: 'it is gone' } },
    { level: 30, msg: 'ready again: the store answers' },
  ])
})

test.each([
  ['fails', noAnswer],
  ['hangs', () => new Promise<never>(() => undefined)],
])('a store that %s makes /readyz a 503, and not /livez', async (_how, ping) => {
  const server = await startServer({ ping })
  const refused = await anonymousOf(server).get('/readyz')
  expect(refused).toMatchObject(problem(503, 'store-unavailable'))
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await anonymousOf(server).get('/livez')).status).toBe(200)
})

test('however many probes there are, the store is asked once a second, and not while it owes an answer', async () => {
  let pings = 0
  let nowMs = 0
  let answer = Promise.withResolvers<void>()
  const ping = () => {
    pings += 1
    return answer.promise
  }
  const readiness = createReadiness(ping, createLogger('silent', { write: () => undefined }), () => nowMs)
  const flood = () => Promise.all(Array.from({ length: 1_000 }, () => readiness.storeAnswers()))

  answer.resolve()
  expect(new Set(await flood())).toEqual(new Set([true]))
  nowMs = 999
  await flood()
  expect(pings).toBe(1)

  answer = Promise.withResolvers()
  nowMs = 1_000
  // It is given up in its time, and still has not settled.
  expect(new Set(await flood())).toEqual(new Set([false]))
  nowMs = 2_000
  expect(new Set(await flood())).toEqual(new Set([false]))
  expect(pings).toBe(2)

  answer.resolve()
  nowMs = 3_000
  await flood()
  nowMs = 4_000
  expect(new Set(await flood())).toEqual(new Set([true]))
})

describe('a server that drains', () => {
  test('is alive and not ready, serves, and tells clients to close', async () => {
    const server = await startServer()
    server.app.lifecycle.drain()
    const refused = await anonymousOf(server).get('/readyz')
    expect(refused).toMatchObject(problem(503, 'overloaded', { message: expect.stringContaining('shutting down') }))
    for (const told of [await anonymousOf(server).get('/livez'), await clientOf(server).createAuction()]) {
      expect([told.status < 300, told.headers.get('connection')]).toEqual([true, 'close'])
    }
  })

  test('tells it with the last of the requests that came together, so that each has its answer', async () => {
    const server = await startServer()
    const connection = await rawConnection(server.port)
    server.app.lifecycle.drain()
    connection.write(requestBytes('GET', '/livez', {}).repeat(3))
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([200, 200, 200])
    expect(received.match(/^connection: .*$/gim)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'connection: close',
    ])
  })

  test('tells it also with the answer to what was under way', async () => {
    const held = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const server = await startServer({
      replaceInStore: (store) => ({
        findAuction: async (id) => {
          started.resolve()
          await held.promise
          return store.findAuction(id)
        },
      }),
    })
    const reading = clientOf(server).get('/api/Auctions/1')
    await started.promise
    server.app.lifecycle.drain()
    held.resolve()
    expect((await reading).headers.get('connection')).toBe('close')
  })
})
