import type { RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { ConnectionLimits } from '../../configuration/configuration.ts'
import { onceAMinute } from '../log/once-a-minute.ts'
import type { ServerWatch } from '../server/watch.ts'
import { createHttpServer } from './http-server.ts'
import { takeOneAtATime } from './one-at-a-time.ts'
import { createOpenConnections, type FullLimit } from './open-connections.ts'
import type { PeerAddress } from './peer-address.ts'

/** Every connection of a server, from its first byte to its end, including those that Node hands over (CONNECT). */
export type Connections = {
  /** Creates the server. It serves one request at a time on a connection, and `closeAllConnections` closes every connection. */
  createServer(handle: RequestListener): Server
  /** Closes a connection after the response to the last complete request. False if no complete request has arrived. */
  closeAfterAnswer(socket: Duplex): boolean
}

export type ConnectionParts = {
  readonly limits: ConnectionLimits
  readonly addressOf: PeerAddress
  readonly logger: Logger
  /** Wraps the request handler. */
  readonly guard: (handle: RequestListener) => RequestListener
  readonly watch?: ServerWatch | undefined
}

export function createConnections({ limits, addressOf, logger, guard, watch }: ConnectionParts): Connections {
  const open = createOpenConnections(limits, addressOf, createFullReport(limits, logger, watch))
  const reportPipelined = onceAMinute((connections) =>
    logger.warn(
      { connections },
      'closing connections on which a request arrived before the last response was complete',
    ),
  )

  /** Notes the response that is not complete yet. */
  function noting(handle: RequestListener): RequestListener {
    return (request, response) => {
      const connection = open.of(request.socket)
      if (connection !== undefined) {
        connection.answer = response
        connection.quietSinceMs = performance.now()
        response.once('close', () => {
          connection.answer = undefined
          connection.quietSinceMs = performance.now()
        })
      }
      handle(request, response)
    }
  }

  function closeAfterAnswer(socket: Duplex): boolean {
    const connection = open.of(socket)
    const { answer } = connection ?? {}
    if (connection === undefined || !answer?.req.complete) return false
    if (!answer.headersSent) answer.setHeader('connection', 'close')
    answer.once('close', () => connection.socket.destroySoon())
    // The client may still be sending. If the server did not read that, the client's system would discard the response (RFC 9112,
    // section 9.6).
    socket.resume()
    return true
  }

  return {
    createServer(handle) {
      const server = createHttpServer(noting(guard(handle)), limits)
      server.on('connection', (socket) => {
        // The `close` event follows, and is handled.
        socket.on('error', () => undefined)
        socket.on('timeout', () => {
          if (open.isIdle(socket)) socket.destroy()
        })
        takeOneAtATime(socket, () => open.of(socket)?.answer !== undefined)
        open.add(socket)
      })
      server.on('upgrade', (_request, socket) => {
        reportPipelined()
        watch?.onDroppedConnection?.('pipelined')
        closeAfterAnswer(socket)
      })
      // Without a listener, Node also closes connections with a request in progress.
      server.on('timeout', () => undefined)
      // For Node, a connection is idle as soon as its response is written, even if the client has read only a part of it. The
      // lifecycle closes all connections after the last response, and refuses requests that arrive before that.
      server.closeIdleConnections = () => undefined
      server.closeAllConnections = open.closeAll
      return server
    },
    closeAfterAnswer,
  }
}

/** Reports connections that are closed to stay within the limits. */
function createFullReport(
  { maxConnections, maxConnectionsPerAddress }: ConnectionLimits,
  logger: Logger,
  watch?: ServerWatch,
): (limit: FullLimit, address: string | undefined) => void {
  let latest: string | undefined
  const reportFull = onceAMinute((closed) =>
    logger.warn(
      { maxConnections, closed },
      'MAX_CONNECTIONS is reached: each new connection closes the one that has been idle longest',
    ),
  )
  const reportAddressFull = onceAMinute((closed) =>
    logger.warn(
      { maxConnectionsPerAddress, address: latest, closed },
      'an address has reached MAX_CONNECTIONS_PER_ADDRESS: each of its new connections closes the one that has been idle longest; if it is a proxy, name it in TRUST_PROXY',
    ),
  )
  return (limit, address) => {
    latest = address
    if (limit === 'MAX_CONNECTIONS') reportFull()
    else reportAddressFull()
    watch?.onDroppedConnection?.(limit === 'MAX_CONNECTIONS' ? 'too-many-connections' : 'too-many-of-address')
  }
}
