import type { FastifyInstance } from 'fastify'

// The headers that a client in a browser needs in addition to those that every script may read.
const exposedHeaders =
  'Accept-Patch, Allow, Date, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent, tracestate'
const maxAgeSeconds = 600

/**
 * Allows scripts of these origins to call from browsers and to read all responses. Call it before other hooks are
 * added.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const { default: cors } = await import('@fastify/cors')
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'PATCH', 'POST', 'PUT'],
    allowedHeaders,
    exposedHeaders,
    maxAge: maxAgeSeconds,
    // The lifecycle responds, including to a preflight.
    preflightContinue: true,
    strictPreflight: false,
  })
}
