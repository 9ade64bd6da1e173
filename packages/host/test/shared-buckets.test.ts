import fc from 'fast-check'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { describeRedis, startRedis } from '../../../tools/vitest/redis.ts'
import { createLogger } from '../src/log/logger.ts'
import { type Buckets, createMemoryBuckets } from '../src/security/rate-limit/buckets.ts'
import { connectSharedBuckets } from '../src/security/rate-limit/shared-buckets.ts'

describeRedis('buckets in Redis', () => {
  test('count as one server does in memory', async () => {
    const { url } = await startRedis()
    const app = fastify()
    onTestFinished(() => app.close())
    const unused: Buckets = { incr: () => expect.unreachable(), giveBack: () => expect.unreachable() }
    const inRedis = (await connectSharedBuckets(app, new URL(url), createLogger('silent', process.stdout)))('', unused)
    const windowMs = 1_000_000_000
    const take = (buckets: Buckets, key: string, max: number) =>
      new Promise((resolve) => buckets.incr(key, (_error, result) => resolve(result?.current), windowMs, max))

    // Giving back is as if time passed.
    const step = fc.oneof(fc.constant('take' as const), fc.integer({ min: 1, max: 40 }))
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 40 }), async (max, steps) => {
        const inMemory = createMemoryBuckets()
        const key = `run ${++runs}`
        for (const done of steps) {
          if (done === 'take') expect(await take(inRedis, key, max)).toBe(await take(inMemory, key, max))
          else for (const buckets of [inRedis, inMemory]) buckets.giveBack(key, ((done / 8) * windowMs) / max)
        }
      }),
    )
  })
})
