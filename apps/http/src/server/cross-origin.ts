import type { FastifyInstance } from 'fastify'

// What a client in a browser needs beside what every script may read.
const exposedHeaders = [
  'Allow',
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
]
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Request-Id',
  'traceparent',
  'tracestate',
]
const maxAgeSeconds = 600

/** Lets scripts of these origins call from browsers, and read what they are answered, refusals too. Call it before other hooks are added. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const { default: cors } = await import('@fastify/cors')
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders,
    exposedHeaders,
    maxAge: maxAgeSeconds,
    // Whether it is a preflight or not, the route of OPTIONS answers.
    preflightContinue: true,
    strictPreflight: false,
  })
}
