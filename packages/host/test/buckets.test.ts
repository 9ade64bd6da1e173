import fc from 'fast-check'
import { fastify } from 'fastify'
import { Redis } from 'ioredis'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { describeRedis, startRedis } from '../../../tools/vitest/redis.ts'
import { createLogger } from '../src/log/log.ts'
import { type Buckets, createMemoryBuckets } from '../src/security/buckets.ts'
import { createRateLimits } from '../src/security/rate-limit.ts'
import { connectSharedBuckets } from '../src/security/shared-buckets.ts'

const settingNames = {
  keySetUrl: 'KEY_SET',
  redisUrl: 'REDIS',
  trustedProxies: 'PROXIES',
  maxConnections: 'CONNECTIONS',
  maxConnectionsPerAddress: 'CONNECTIONS_PER_ADDRESS',
  maxRequestsAtOnce: 'REQUESTS',
}

const pass = (ms: number) => void vi.advanceTimersByTime(ms)

/** The limits of a server without its HTTP. */
async function startLimits(max: number, windowSeconds: number) {
  const app = fastify()
  const configuration = { max, anonymousMax: max, windowSeconds, redisUrl: undefined, redisKeyPrefix: '' }
  const limits = await createRateLimits(app, configuration, createLogger('silent', process.stdout), settingNames)
  let callers = 0

  /** Returns a function that counts a read of a new caller. */
  return () => {
    const caller = { storedAs: `caller ${++callers}` }
    return async () => {
      let left = { remaining: Number.NaN, seconds: Number.NaN }
      const reply = {
        header(name: string, value: string) {
          const [, remaining, seconds] = /;r=(\d+);t=(\d+)$/.exec(value) ?? []
          if (name === 'ratelimit') left = { remaining: Number(remaining), seconds: Number(seconds) }
          return reply
        },
      }
      const request = { method: 'GET', headers: {}, caller, routeOptions: { config: {} } }
      // The casts: only these members are read.
      const problem = await limits.callers(request as never, reply as never)
      if (problem !== undefined) expect(problem.headers?.['retry-after']).toBe(String(left.seconds))
      return { isAdmitted: problem === undefined, ...left }
    }
  }
}

const quota = fc.record({
  max: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(7, 300)),
  windowSeconds: fc.constantFrom(1, 7, 60, 1_000_000),
})

/** Requests, with the time between them in thousandths of the time that refills one. */
const schedule = fc.array(
  fc.record({
    pause: fc.oneof(fc.constantFrom(0, 1, 500, 999, 1_000, 1_001), fc.integer({ min: 0, max: 3_000 })),
    burst: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 15 },
)

describe('buckets in memory', () => {
  // A manual clock.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
  })

  test('in any interval, at most the quota and what the interval refills are admitted', async () => {
    await fc.assert(
      fc.asyncProperty(quota, schedule, async ({ max, windowSeconds }, requests) => {
        const send = (await startLimits(max, windowSeconds))()
        const refillMs = (windowSeconds * 1_000) / max
        const admittedAtMs: number[] = []
        let atMs = 0
        for (const { pause, burst } of requests) {
          const pauseMs = Math.round((pause * refillMs) / 1_000)
          pass(pauseMs)
          atMs += pauseMs
          for (let times = 0; times < burst; times++) if ((await send()).isAdmitted) admittedAtMs.push(atMs)
        }

        for (const [first, fromMs] of admittedAtMs.entries()) {
          for (const [last, toMs] of admittedAtMs.entries()) {
            if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(max + (toMs - fromMs) / refillMs + 0.01)
          }
        }
        pass(windowSeconds * 1_000)
        for (let remaining = max - 1; remaining >= 0; remaining--) {
          expect(await send()).toMatchObject({ isAdmitted: true, remaining })
        }
        expect(await send()).toMatchObject({ isAdmitted: false, remaining: 0 })
      }),
      { numRuns: 300 },
    )
  })

  test('the headers are accurate: what remains is admitted at once, and one more after the time that they name', async () => {
    await fc.assert(
      fc.asyncProperty(quota, schedule, async ({ max, windowSeconds }, requests) => {
        const send = (await startLimits(max, windowSeconds))()
        for (const { pause, burst } of requests) {
          pass(Math.round((pause * windowSeconds) / max))
          for (let times = 0; times < burst; times++) await send()
        }
        const { remaining, seconds } = await send()
        expect(seconds).toBeGreaterThanOrEqual(1)
        expect(seconds).toBeLessThanOrEqual(Math.ceil(windowSeconds / max))
        for (let left = remaining - 1; left >= 0; left--) {
          expect(await send()).toMatchObject({ isAdmitted: true, remaining: left })
        }
        const refused = await send()
        expect(refused).toMatchObject({ isAdmitted: false, remaining: 0 })
        pass(refused.seconds * 1_000)
        expect(await send()).toMatchObject({ isAdmitted: true })
      }),
    )
  })
})

describeRedis('buckets in Redis', () => {
  test('count as one server does in memory', async () => {
    const { url } = await startRedis()
    const app = fastify()
    const client = new Redis(url)
    // A manual clock for the buckets in memory.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(async () => {
      vi.useRealTimers()
      client.disconnect()
      await app.close()
    })
    const unused: Buckets = { incr: () => expect.unreachable() }
    const inRedis = (
      await connectSharedBuckets(app, new URL(url), createLogger('silent', process.stdout), settingNames)
    )('', unused)
    const windowMs = 1_000_000_000
    const take = (buckets: Buckets, key: string, max: number) =>
      new Promise((resolve) => buckets.incr(key, (_error, result) => resolve(result?.current), windowMs, max))

    /** Lets time pass: in Redis, the time when the bucket is whole comes nearer. */
    async function pass(key: string, ms: number): Promise<void> {
      vi.advanceTimersByTime(ms)
      const wholeAtMs = await client.get(key)
      if (wholeAtMs !== null) await client.set(key, String(Number(wholeAtMs) - ms), 'KEEPTTL')
    }

    const step = fc.oneof(fc.constant('take' as const), fc.integer({ min: 1, max: 40 }))
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 40 }), async (max, steps) => {
        const inMemory = createMemoryBuckets()
        const key = `run ${++runs}`
        for (const done of steps) {
          if (done === 'take') expect(await take(inRedis, key, max)).toBe(await take(inMemory, key, max))
          else await pass(key, ((done / 8) * windowMs) / max)
        }
      }),
    )
  })
})
