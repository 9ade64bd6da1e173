import type { RequestListener, Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ConnectionLimits } from '../../configuration/configuration.ts'
import { createServer } from '../node-http.ts'

// How often Node looks for requests that are late.
const checkMs = 500

/** Makes the server that Fastify answers on, with the bounds of its connections. It does not listen. */
export function createHttpServer(handle: RequestListener, limits: ConnectionLimits): Server {
  // Lateness is seen only at the next look.
  const arrivalMs = limits.requestTimeoutSeconds * 1000 - checkMs
  return createServer(
    {
      // The lifecycle answers in the envelope.
      requireHostHeader: false,
      headersTimeout: arrivalMs,
      requestTimeout: arrivalMs,
      connectionsCheckingInterval: checkMs,
      // Clients are told this time; Node adds the other second, so that none sends while the connection is being closed.
      keepAliveTimeout: limits.idleTimeoutSeconds * 1000 - 1000,
      keepAliveTimeoutBuffer: 1000,
      // Requests that ask for an upgrade are answered like any other.
      shouldUpgradeCallback: () => false,
    },
    handle,
  )
}

/** Fastify closes only servers on which it listens itself. */
export function closeServerWith(app: FastifyInstance): void {
  app.addHook('onClose', (_app, done) => {
    // The only error there is says that the server has never listened.
    app.server.close(() => done())
  })
}

/**
 * Takes no new connections from now on; those that clients have made by now are accepted first, for `longestMs` at the most, as the
 * system would reset them. Node's own `close` also closes connections that are idle, on which a request may be on its way.
 */
export async function stopListening(server: Server, longestMs: number): Promise<void> {
  const untilMs = performance.now() + longestMs
  let hasAccepted: boolean
  const note = () => {
    hasAccepted = true
  }
  server.on('connection', note)
  // A turn of the event loop accepts one connection at the most.
  do {
    hasAccepted = false
    await nextTurn()
    await nextTurn()
  } while (hasAccepted && performance.now() < untilMs)
  server.off('connection', note)
  NetServer.prototype.close.call(server)
}
