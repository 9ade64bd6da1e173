import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A request's place in the window of its key. */
type Count = { readonly remaining: number; readonly ttlInSeconds: number; readonly isExceeded: boolean }

/** Counts a request under its key. */
export type Counter = (request: FastifyRequest) => Promise<Count>

/** The maximum number of keys of a counter in memory, about 250 bytes each. The least recently counted key is removed first. */
const maxKeys = 100_000

/** Creates a counter of @fastify/rate-limit, which has one in each Fastify context. */
export async function createCounter(app: FastifyInstance, options: RateLimitPluginOptions): Promise<Counter> {
  const { promise, resolve } = Promise.withResolvers<Counter>()
  await app.register(async (context) => {
    await context.register(rateLimit, { global: false, cache: maxKeys, ...options })
    // The cast: only an allow list makes the library return no count.
    resolve(context.createRateLimit() as Counter)
  })
  return promise
}
