import type { RequestListener, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { ConnectionLimits } from '../configuration/read-configuration.ts'
import { createServer } from './node-http.ts'

// How often Node looks for requests that are late.
const checkMs = 500

/** Makes the server that Fastify answers on, with the bounds of its connections. It does not listen. */
export function createHttpServer(handle: RequestListener, limits: ConnectionLimits): Server {
  // Lateness is seen only at the next look.
  const arrivalMs = limits.requestTimeoutSeconds * 1000 - checkMs
  const server = createServer(
    {
      // The lifecycle answers in the envelope.
      requireHostHeader: false,
      headersTimeout: arrivalMs,
      requestTimeout: arrivalMs,
      connectionsCheckingInterval: checkMs,
      // Clients are told this time; Node adds the other second, so that none sends while the connection is being closed.
      keepAliveTimeout: limits.idleTimeoutSeconds * 1000 - 1000,
      keepAliveTimeoutBuffer: 1000,
    },
    handle,
  )
  server.maxConnections = limits.maxConnections
  return server
}

/** Fastify closes only servers on which it listens itself. */
export function closeServerWith(app: FastifyInstance): void {
  app.addHook('onClose', (_app, done) => {
    // The only error there is says that the server has never listened.
    app.server.close(() => done())
  })
}
