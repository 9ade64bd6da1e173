import { expect, onTestFinished, test } from 'vitest'
import { describeRedis, type RedisServer, startRedis } from '../../../tools/vitest/redis.ts'
import { tcpProxy } from '../../../tools/vitest/tcp-proxy.ts'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

// Those that the how-to names, and no other.
const rights = ['+evalsha', '+eval', '+incr', '+pexpire', '+pttl', '+ping', '+select']

const outage = /can not be used: each server counts for itself/
const end = /is used again: servers share their rate limits/

/** More than the requests of any test. */
const most = 1_000_000

const startServerWith = ({ url }: Pick<RedisServer, 'url'>, environment: Readonly<Record<string, string>> = {}) =>
  startServer({
    environment: {
      RATE_LIMIT_REDIS_URL: url,
      RATE_LIMIT_MAX: String(most),
      RATE_LIMIT_WINDOW_SECONDS: '1000',
      ...environment,
    },
  })

const startTwo = async (redis: Pick<RedisServer, 'url'>, environment: Readonly<Record<string, string>> = {}) =>
  [await startServerWith(redis, environment), await startServerWith(redis, environment)] as const

/** Sends a request, and tells how many its caller has sent by now, as the answer says. */
const spentOf = async (server: TestServer, subject = 'anna'): Promise<number> => {
  const { headers } = await clientOf(server, tokenOf(subject)).get('/api/Auctions')
  const [, max] = /q=(\d+);/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  const [, remaining] = /;r=(\d+);/.exec(headers.get('ratelimit') ?? '') ?? []
  return Number(max) - Number(remaining)
}

const countOf = ({ log }: TestServer, pattern: RegExp) => log.filter((line) => pattern.test(line)).length

/** Sends requests until the log tells that Redis is used again. */
async function untilShared(server: TestServer): Promise<void> {
  while (countOf(server, end) === 0) await spentOf(server, 'somebody')
}

describeRedis('servers with one Redis', () => {
  test('count a caller together', async () => {
    const [first, second] = await startTwo(await startRedis(), { RATE_LIMIT_MAX: '3' })
    expect([await spentOf(first), await spentOf(second), await spentOf(first)]).toEqual([1, 2, 3])
    for (const server of [second, first, second]) {
      const answer = await clientOf(server).get('/api/Auctions')
      expect(answer).toMatchObject(problem(429, 'rate-limited'))
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=3;w=1000')
      const [, seconds] = /^"default";r=0;t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '') ?? []
      expect(Number(seconds)).toBeGreaterThan(900)
      expect(answer.headers.get('retry-after')).toBe(seconds)
    }
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

  test('begin a window together, and open the next one together', async () => {
    const [first, second] = await startTwo(await startRedis(), { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '3' })
    const statusOf = async (server: TestServer) => (await clientOf(server).get('/api/Auctions')).status
    expect(await statusOf(first)).toBe(200)
    let status = await statusOf(second)
    expect(status).toBe(429)
    while (status === 429) status = await statusOf(second)
    expect(await statusOf(first)).toBe(429)
  })

  test('keep what they count there under hashes, and for one window', async () => {
    const redis = await startRedis()
    const [first] = await startTwo(redis)
    await spentOf(first, 'anna@example.com')
    const { Redis } = await import('ioredis')
    const client = new Redis(redis.url)
    onTestFinished(() => client.disconnect())
    const keys = await client.keys('*')
    expect(keys).toEqual([expect.stringMatching(/^auction-service:rate-limit:1000:default:[\w-]{43}$/)])
    expect(await client.pttl(keys[0] ?? '')).toBeGreaterThan(900_000)
  })

  test('take a user and a password from the address, and tell them to nobody', async () => {
    const redis = await startRedis('--user', 'limits', 'on', '>hunter2', '~auction-service:*', ...rights)
    const right = await startServerWith({ url: `redis://limits:hunter2@127.0.0.1:${redis.port}/2` })
    const wrong = await startServerWith({ url: `redis://limits:hunter3@127.0.0.1:${redis.port}/2` })
    expect([await spentOf(right), await spentOf(right), await spentOf(wrong)]).toEqual([1, 2, 1])
    expect([countOf(right, outage), countOf(wrong, outage)]).toEqual([0, 1])
    expect(wrong.log.join('')).not.toMatch(/hunter/)
  })
})

describeRedis('when Redis', () => {
  test('is not there at the start, each server counts for itself until it is', async () => {
    const redis = await startRedis()
    await redis.kill()
    const [first, second] = await startTwo(redis)
    for (const server of [first, second]) expect([await spentOf(server), await spentOf(server)]).toEqual([1, 2])
    expect([countOf(first, outage), countOf(second, outage)]).toEqual([1, 1])
    await redis.start()
    await Promise.all([untilShared(first), untilShared(second)])
    expect([await spentOf(first, 'carl'), await spentOf(second, 'carl')]).toEqual([1, 2])
  })

  test.each<[what: string, addressOf: (port: number) => string, reason: RegExp]>([
    ['can not be reached', () => 'redis://127.0.0.1:1', /ECONNREFUSED/],
    ['has no such name', () => 'redis://redis.invalid', /ENOTFOUND|EAI_AGAIN/],
    ['has no such user', (port) => `redis://limits:hunter2@127.0.0.1:${port}`, /WRONGPASS/],
    ['has no such database', (port) => `redis://127.0.0.1:${port}/99`, /DB index is out of range/],
  ])('%s, the log says so, and each server counts for itself', async (_what, addressOf, reason) => {
    const redis = await startRedis()
    const server = await startServerWith({ url: addressOf(redis.port) })
    expect(await spentOf(server)).toBe(1)
    const lines = server.log.filter((line) => outage.test(line)).map((line) => JSON.parse(line).reason)
    expect(lines).toEqual([expect.stringMatching(reason)])
    expect(lines[0]).not.toMatch(/hunter/)
  })

  test('hangs at the start, the server starts all the same', async () => {
    const redis = await startRedis()
    redis.pause()
    const server = await startServerWith({ url: `${redis.url}/1` })
    expect(await spentOf(server)).toBe(1)
    expect(countOf(server, outage)).toBe(1)
    redis.resume()
    await untilShared(server)
  })

  test('dies, each server goes on from what it knows, and says so once', async () => {
    const redis = await startRedis()
    const [first, second] = await startTwo(redis)
    expect([await spentOf(first), await spentOf(second), await spentOf(first)]).toEqual([1, 2, 3])
    await redis.kill()
    expect([await spentOf(first), await spentOf(first)]).toEqual([4, 5])
    expect([await spentOf(second), await spentOf(second)]).toEqual([3, 4])
    for (const server of [first, second]) expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 0])

    await redis.start()
    await Promise.all([untilShared(first), untilShared(second)])
    expect([await spentOf(first, 'carl'), await spentOf(second, 'carl')]).toEqual([1, 2])
    for (const server of [first, second]) expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 1])
    expect(first.log.find((line) => end.test(line))).toMatch(/"outageSeconds":\d/)
  })

  test('hangs, a request waits for a moment at most, and the next ones not at all', async () => {
    const redis = await startRedis()
    const server = await startServerWith(redis)
    expect(await spentOf(server)).toBe(1)
    redis.pause()
    // All of them are on their way at once.
    await Promise.all(Array.from({ length: 50 }, () => spentOf(server)))
    expect(countOf(server, outage)).toBe(1)
    expect(await spentOf(server)).toBe(52)
    redis.resume()
    await untilShared(server)
    expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 1])
  })

  test('is behind a network that drops everything, a new connection is made when it is back', async () => {
    const redis = await startRedis()
    const proxy = await tcpProxy({ host: '127.0.0.1', port: redis.port })
    onTestFinished(proxy.close)
    const server = await startServerWith({ url: `redis://127.0.0.1:${proxy.port}` })
    expect(await spentOf(server)).toBe(1)
    proxy.hang()
    expect([await spentOf(server), await spentOf(server)]).toEqual([2, 3])
    proxy.restore()
    await untilShared(server)
    expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 1])
  })

  test.each(['before', 'after'] as const)(
    'loses its connection %s it has the request, the request is counted',
    async (moment) => {
      const redis = await startRedis()
      const proxy = await tcpProxy({ host: '127.0.0.1', port: redis.port })
      onTestFinished(proxy.close)
      const server = await startServerWith({ url: `redis://127.0.0.1:${proxy.port}` })
      expect(await spentOf(server)).toBe(1)
      proxy.cutNext(moment, () => true)
      expect(await spentOf(server)).toBe(2)
      await untilShared(server)
      expect(await spentOf(server)).toBe(moment === 'before' ? 2 : 3)
    },
  )

  test('is full, that is an outage until there is room', async () => {
    const redis = await startRedis('--maxmemory-policy', 'noeviction')
    const { Redis } = await import('ioredis')
    const client = new Redis(redis.url)
    onTestFinished(() => client.disconnect())
    const server = await startServerWith(redis)
    expect(await spentOf(server)).toBe(1)
    await client.config('SET', 'maxmemory', '1')
    expect([await spentOf(server), await spentOf(server)]).toEqual([2, 3])
    expect(server.log.find((line) => outage.test(line))).toMatch(/"reason":"OOM /)
    await client.config('SET', 'maxmemory', '0')
    await untilShared(server)
    expect([countOf(server, outage), countOf(server, end)]).toEqual([1, 1])
  })

  test('is a replica that may not be written to, that is an outage', async () => {
    const redis = await startRedis('--replicaof', '127.0.0.1 1')
    const server = await startServerWith(redis)
    expect([await spentOf(server), await spentOf(server)]).toEqual([1, 2])
    expect(server.log.find((line) => outage.test(line))).toMatch(/"reason":"(READONLY|MASTERDOWN)/)
  })

  test('is not needed: who has used up a limit is refused without asking it', async () => {
    const redis = await startRedis()
    const server = await startServerWith(redis, { RATE_LIMIT_MAX: '1', RATE_LIMIT_ANONYMOUS_MAX: '1' })
    const statuses = async () => [
      (await clientOf(server).get('/api/Auctions')).status,
      (await anonymousOf(server).get('/api/Auctions')).status,
    ]
    expect([await statuses(), await statuses()]).toEqual([
      [200, 401],
      [429, 429],
    ])
    redis.pause()
    expect(await statuses()).toEqual([429, 429])
    expect(countOf(server, outage)).toBe(0)
    redis.resume()
  })

  test('hangs while the server closes, nothing waits for it', async () => {
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
