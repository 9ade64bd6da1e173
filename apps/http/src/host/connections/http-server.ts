import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ConnectionLimits } from '../../configuration/configuration.ts'

// The interval in which Node checks for late requests.
const checkMs = 500

/** Creates Fastify's server, with the limits of its connections. It does not listen. */
export function createHttpServer(handle: RequestListener, limits: ConnectionLimits): Server {
  // Node detects a late request only at the next check.
  const arrivalMs = limits.requestTimeoutSeconds * 1000 - checkMs
  const server = createServer(
    {
      // The lifecycle responds in the envelope.
      requireHostHeader: false,
      headersTimeout: arrivalMs,
      requestTimeout: arrivalMs,
      connectionsCheckingInterval: checkMs,
      // Clients receive this time. Node adds a second, so that no client sends during the close.
      keepAliveTimeout: limits.idleTimeoutSeconds * 1000 - 1000,
      keepAliveTimeoutBuffer: 1000,
      // Requests for an upgrade get a normal response.
      shouldUpgradeCallback: () => false,
    },
    handle,
  )
  // For a client that does not read a response. Each part that it reads restarts this time.
  server.timeout = limits.idleTimeoutSeconds * 1000
  return server
}

/** Fastify closes only servers on which it listens itself. */
export function closeServerWith(app: FastifyInstance): void {
  app.addHook('onClose', (_app, done) => {
    // The only possible error means that the server has never listened.
    app.server.close(() => done())
  })
}

/**
 * Stops accepting connections. It first accepts those that clients have already made, for at most `longestMs`, because the system
 * would reset them. Node's `close` also closes idle connections, on which a request may be about to arrive.
 */
export async function stopListening(server: Server, longestMs: number): Promise<void> {
  const untilMs = performance.now() + longestMs
  let hasAccepted: boolean
  const note = () => {
    hasAccepted = true
  }
  server.on('connection', note)
  // A turn of the event loop accepts at most one connection.
  do {
    hasAccepted = false
    await nextTurn()
    await nextTurn()
  } while (hasAccepted && performance.now() < untilMs)
  server.off('connection', note)
  NetServer.prototype.close.call(server)
}
