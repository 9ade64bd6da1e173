import { setTimeout } from 'node:timers/promises'
import { startTcpProxy } from '@auction/testing/tcp-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { describeRedis, type RedisServer, startRedis } from '../../../tools/vitest/redis.ts'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

// The commands that docs/how-to/deploy-on-mongodb.md lists.
const rights = ['+evalsha', '+eval', '+time', '+get', '+set', '+info', '+select']

const outage = /is unavailable: each server counts requests separately/
const end = /is available again: servers share their rate limits/

/** Between requests that wait for something. */
const pauseMs = 10

/** More requests than any test sends. */
const most = 10_000

const startServerWith = ({ url }: Pick<RedisServer, 'url'>, environment: Readonly<Record<string, string>> = {}) =>
  startServer({
    environment: {
      RATE_LIMIT_REDIS_URL: url,
      RATE_LIMIT_MAX: String(most),
      RATE_LIMIT_WINDOW_SECONDS: '1000000',
      ...environment,
    },
  })

const startTwo = async (redis: Pick<RedisServer, 'url'>, environment: Readonly<Record<string, string>> = {}) =>
  [await startServerWith(redis, environment), await startServerWith(redis, environment)] as const

/** Sends a request. Returns how many reads its caller has sent, from the response headers. */
const spentOf = async (server: TestServer, subject = 'anna'): Promise<number> => {
  const { headers } = await clientOf(server, tokenOf(subject)).get('/api/Auctions')
  const [, max] = /q=(\d+);/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  const [, remaining] = /;r=(\d+);/.exec(headers.get('ratelimit') ?? '') ?? []
  return Number(max) - Number(remaining)
}

const countOf = ({ log }: TestServer, pattern: RegExp) => log.filter((line) => pattern.test(line)).length

/** Sends requests until the log reports that Redis is available again. */
async function untilShared(server: TestServer): Promise<void> {
  while (countOf(server, end) === 0) {
    await spentOf(server, 'zoe')
    await setTimeout(pauseMs)
  }
}

describeRedis('servers with one Redis', () => {
  test('count a caller together', async () => {
    const [first, second] = await startTwo(await startRedis(), { RATE_LIMIT_MAX: '3' })
    expect([await spentOf(first), await spentOf(second), await spentOf(first)]).toEqual([1, 2, 3])
    for (const server of [second, first, second]) {
      const response = await clientOf(server).get('/api/Auctions')
      expect(response).toMatchObject(problem(429, 'rate-limited'))
      expect(response.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=1000000')
      const [, seconds] = /^"reads";r=0;t=(\d+)$/.exec(response.headers.get('ratelimit') ?? '') ?? []
      // A third of the window.
      expect(Number(seconds)).toBeGreaterThan(333_000)
      expect(Number(seconds)).toBeLessThanOrEqual(333_334)
      expect(response.headers.get('retry-after')).toBe(seconds)
    }
    expect((await clientOf(second).createAuction()).headers.get('ratelimit')).toMatch(/^"writes";r=2;/)
    expect(await spentOf(second, 'bert')).toBe(1)
    expect([countOf(first, outage), countOf(second, outage)]).toEqual([0, 0])
  })

  test('count an address together', async () => {
    const [first, second] = await startTwo(await startRedis(), { RATE_LIMIT_ANONYMOUS_MAX: '2' })
    const statuses = []
    for (const server of [first, second, first, second, first]) {
      statuses.push((await anonymousOf(server).get('/api/Auctions')).status)
    }
    expect(statuses).toEqual([401, 401, 429, 429, 429])
    expect((await clientOf(second).get('/api/Auctions')).status).toBe(200)
  })

  test('share the largest limit, of which a request costs less than the clock resolves', async () => {
    const largest = { RATE_LIMIT_MAX: '1000000000', RATE_LIMIT_WINDOW_SECONDS: '1' }
    const server = await startServerWith(await startRedis(), largest)
    for (let times = 0; times < 3; times++) expect(await spentOf(server)).toBeLessThanOrEqual(1)
    expect(server.log.filter((line) => outage.test(line))).toEqual([])
  })

  test('store under a hash of the caller when a quota is whole, and only until then', async () => {
    const redis = await startRedis()
    const [first] = await startTwo(redis)
    await spentOf(first, 'anna@example.com')
    const { Redis } = await import('ioredis')
    const client = new Redis(redis.url)
    onTestFinished(() => client.disconnect())
    const keys = await client.keys('*')
    expect(keys).toEqual([expect.stringMatching(/^auction-service:rate-limit:1000000:reads:[\w-]{43}$/)])
    const leftMs = await client.pttl(keys[0] ?? '')
    // 10,000 requests in a million seconds.
    expect(leftMs).toBeGreaterThan(90_000)
    expect(leftMs).toBeLessThanOrEqual(100_000)
  })

  test('log in with the user and the password of the URL, and never log them', async () => {
    const redis = await startRedis('--user', 'limits', 'on', '>hunter2', '~auction-service:*', ...rights)
    const right = await startServerWith({ url: `redis://limits:hunter2@127.0.0.1:${redis.port}/2` })
    const wrong = await startServerWith({ url: `redis://limits:hunter3@127.0.0.1:${redis.port}/2` })
    expect([await spentOf(right), await spentOf(right), await spentOf(wrong)]).toEqual([1, 2, 1])
    expect([countOf(right, outage), countOf(wrong, outage)]).toEqual([0, 1])
    expect(wrong.log.join('')).not.toMatch(/hunter/)
  })
})

describeRedis('when Redis', () => {
  test.each<[what: string, addressOf: (port: number) => string, reason: RegExp]>([
    ['refuses connections', () => 'redis://127.0.0.1:1', /ECONNREFUSED/],
    ['has an unknown host name', () => 'redis://redis.invalid', /ENOTFOUND|EAI_AGAIN/],
    ['has no such user', (port) => `redis://limits:hunter2@127.0.0.1:${port}`, /WRONGPASS/],
    ['has no such database', (port) => `redis://127.0.0.1:${port}/99`, /DB index is out of range/],
  ])('%s, the log has the reason, and each server counts alone', async (_what, addressOf, reason) => {
    const redis = await startRedis()
    const server = await startServerWith({ url: addressOf(redis.port) })
    expect(await spentOf(server)).toBe(1)
    const lines = server.log.filter((line) => outage.test(line)).map((line) => JSON.parse(line).reason)
    expect(lines).toEqual([expect.stringMatching(reason)])
    expect(lines[0]).not.toMatch(/hunter/)
    // In particular, it does not count in another database.
    expect(countOf(server, end)).toBe(0)
  })

  test('dies, each server counts alone, from 0, and logs that once', async () => {
    const redis = await startRedis()
    const [first, second] = await startTwo(redis)
    expect([await spentOf(first), await spentOf(second), await spentOf(first)]).toEqual([1, 2, 3])
    await redis.kill()
    expect([await spentOf(first), await spentOf(first)]).toEqual([1, 2])
    expect([await spentOf(second), await spentOf(second)]).toEqual([1, 2])
    for (const server of [first, second]) expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 0])

    await redis.start()
    await Promise.all([untilShared(first), untilShared(second)])
    expect([await spentOf(first, 'carl'), await spentOf(second, 'carl')]).toEqual([1, 2])
    for (const server of [first, second]) expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 1])
  })

  test('hangs, only the requests in flight wait for it', async () => {
    const redis = await startRedis()
    const server = await startServerWith(redis)
    expect(await spentOf(server)).toBe(1)
    redis.pause()
    await Promise.all(Array.from({ length: 10 }, () => spentOf(server)))
    expect(countOf(server, outage)).toBe(1)
    const waitedMs: number[] = []
    for (let sent = 11; sent <= 30; sent++) {
      const startMs = performance.now()
      expect(await spentOf(server)).toBe(sent)
      waitedMs.push(performance.now() - startMs)
    }
    // A request that waits for Redis takes 250 ms. A busy machine delays a few of the others.
    expect(waitedMs.filter((ms) => ms < 250).length).toBeGreaterThan(10)
    redis.resume()
    await untilShared(server)
    expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 1])
  })

  test('is behind a network that drops all packets, the client reconnects when the network works again', async () => {
    const redis = await startRedis()
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port })
    onTestFinished(proxy.close)
    const server = await startServerWith({ url: `redis://127.0.0.1:${proxy.port}` })
    expect(await spentOf(server)).toBe(1)
    proxy.hang()
    expect([await spentOf(server), await spentOf(server)]).toEqual([1, 2])
    proxy.restore()
    await untilShared(server)
    expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 1])
  })

  test.each(['before', 'after'] as const)(
    'loses its connection %s it receives a request, the server counts it alone and does not send it again',
    async (moment) => {
      const redis = await startRedis()
      const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port })
      onTestFinished(proxy.close)
      const server = await startServerWith({ url: `redis://127.0.0.1:${proxy.port}` })
      expect(await spentOf(server)).toBe(1)
      proxy.cutNext(moment, () => true)
      expect(await spentOf(server)).toBe(1)
      await untilShared(server)
      expect(await spentOf(server)).toBe(moment === 'before' ? 2 : 3)
    },
  )

  test('is a read-only replica, each server counts alone', async () => {
    const redis = await startRedis('--replicaof', '127.0.0.1 1')
    const server = await startServerWith(redis)
    expect([await spentOf(server), await spentOf(server)]).toEqual([1, 2])
    expect(server.log.find((line) => outage.test(line))).toMatch(/"reason":"ReplyError: (READONLY|MASTERDOWN)/)
  })

  test('hangs while the server closes, the server does not wait for it', async () => {
    const redis = await startRedis()
    const server = await startServerWith(redis)
    redis.pause()
    const under = spentOf(server)
    await server.app.close()
    await under.catch(() => undefined)
    expect(server.app.server.listening).toBe(false)
    redis.resume()
  })
})
