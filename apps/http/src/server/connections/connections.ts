import type { RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { ConnectionLimits } from '../../configuration/configuration.ts'
import { reportEpisodes } from '../../log/report-episodes.ts'
import type { ServerWatch } from '../watch.ts'
import { createHttpServer } from './http-server.ts'
import { takeOneAtATime } from './one-at-a-time.ts'
import { createOpenConnections, type FullLimit } from './open-connections.ts'
import type { PeerAddress } from './peer-address.ts'

/** Every connection of a server, from its first byte to its end, whatever has become of it. */
export type Connections = {
  /** Makes the server. It takes one request at a time from a connection, and can close all connections there are. */
  createServer(handle: RequestListener): Server
  /** Closes a connection after the answer to the last request that arrived whole. False if none is under way. */
  closeAfterAnswer(socket: Duplex): boolean
}

export type ConnectionParts = {
  readonly limits: ConnectionLimits
  readonly addressOf: PeerAddress
  readonly logger: Logger
  /** Stands between a connection and what handles its requests. */
  readonly guard: (handle: RequestListener) => RequestListener
  readonly watch?: ServerWatch | undefined
}

/**
 * Looks after connections from their start, beside what Node does while they speak HTTP. Node hands a socket over when a request
 * asks for it (CONNECT), without any handler, and forgets it: its first error would end the process, no time-out would close
 * it, and it would hold up the server's end.
 */
export function createConnections({ limits, addressOf, logger, guard, watch }: ConnectionParts): Connections {
  const open = createOpenConnections(limits, addressOf, createFullReport(limits, logger, watch))
  const reportPipelined = reportEpisodes(
    () => logger.warn('connections are closed on which a request came before the last answer was complete'),
    (closed) => logger.info({ closed }, 'for a minute, no request came before the last answer was complete'),
  )

  /** Notes when the answer is under way. */
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
    // The client may be sending still. Were that left unread, its system would throw the answer away (RFC 9112, section 9.6).
    socket.resume()
    return true
  }

  return {
    createServer(handle) {
      const server = createHttpServer(noting(guard(handle)), limits)
      server.on('connection', (socket) => {
        // Its close comes next, and whoever waits for the socket hears of that.
        socket.on('error', () => undefined)
        socket.on('timeout', () => socket.destroy())
        takeOneAtATime(socket, () => open.of(socket)?.answer !== undefined)
        open.add(socket)
      })
      server.on('upgrade', (_request, socket) => {
        reportPipelined()
        watch?.onDroppedConnection?.('pipelined')
        closeAfterAnswer(socket)
      })
      // For Node, a connection is idle as soon as its answer is written, though the client may have read only a part of it. The
      // lifecycle ends all of them when the last answer has gone out; what comes on one before that is refused.
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
  const reportFull = reportEpisodes(
    () =>
      logger.warn(
        { maxConnections },
        'MAX_CONNECTIONS is reached: the longest idle connection makes way for a new one',
      ),
    (closed) => logger.info({ closed }, 'for a minute, MAX_CONNECTIONS was not reached'),
  )
  let latest: string | undefined
  const reportAddressFull = reportEpisodes(
    () =>
      logger.warn(
        { maxConnectionsPerAddress, address: latest },
        'an address has reached MAX_CONNECTIONS_PER_ADDRESS: its longest idle connection makes way for a new one; if it is a proxy, name it in TRUST_PROXY',
      ),
    (closed) => logger.info({ closed }, 'for a minute, no address has reached MAX_CONNECTIONS_PER_ADDRESS'),
  )
  return (limit, address) => {
    latest = address
    if (limit === 'MAX_CONNECTIONS') reportFull()
    else reportAddressFull()
    watch?.onDroppedConnection?.(limit === 'MAX_CONNECTIONS' ? 'too-many-connections' : 'too-many-of-address')
  }
}
