import fc from 'fast-check'
import { fastify } from 'fastify'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeRedis, startRedis } from '../../../tools/vitest/redis.ts'
import { createLogger } from '../src/log/log.ts'
import { type Buckets, createMemoryBuckets } from '../src/security/buckets.ts'
import { connectSharedBuckets } from '../src/security/shared-buckets.ts'

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
    const inRedis = (await connectSharedBuckets(app, new URL(url), createLogger('silent', process.stdout)))('', unused)
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
