import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { ConnectionLimits } from '../../configuration/configuration.ts'
import { reportEpisodes } from '../../log/report-episodes.ts'
import type { ServerWatch } from '../watch.ts'
import { createHttpServer } from './http-server.ts'
import { createPipelines } from './pipelines.ts'

/** Every connection of a server, from its first byte to its end, whatever has become of it. */
export type Connections = {
  /** Makes the server. It hands over the requests of a connection one at a time, and can close all connections there are. */
  createServer(handle: RequestListener): Server
  /** The response of the last request that waits on a connection for those before it, if any does. */
  lastWaiting(socket: Duplex): ServerResponse | undefined
}

/**
 * Looks after connections from their start, beside what Node does while they speak HTTP. Node hands a socket over when a request
 * asks for it (CONNECT), without any handler, and forgets it: its first error would end the process, no time-out would close
 * it, and it would hold up the server's end.
 * @param guard stands between a connection and what handles its requests, each in its turn
 */
export function createConnections(
  limits: ConnectionLimits,
  logger: Logger,
  guard: (handle: RequestListener) => RequestListener,
  watch?: ServerWatch,
): Connections {
  const sockets = new Set<Duplex>()
  const { maxConnections } = limits
  const reportDropped = reportEpisodes(
    () =>
      logger.warn(
        { maxConnections },
        'there are as many connections as MAX_CONNECTIONS allows; more are closed at once',
      ),
    (dropped) => logger.info({ dropped }, 'for a minute, no connection was too many'),
  )
  const reportPipelined = reportEpisodes(
    () => logger.warn('connections are closed on which too many requests were sent without waiting for answers'),
    (closed) => logger.info({ closed }, 'for a minute, not too many requests waited on a connection'),
  )
  const pipelines = createPipelines(reportPipelined)

  return {
    createServer(handle) {
      const server = createHttpServer(pipelines.oneAtATime(guard(handle)), limits)
      server.on('drop', () => {
        reportDropped()
        watch?.onDroppedConnection?.('too-many-connections')
      })
      server.on('connection', (socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        // Its close comes next, and whoever waits for the socket hears of that.
        socket.on('error', () => undefined)
        socket.on('timeout', () => socket.destroy())
      })
      // For Node, a connection is idle as soon as its answer is written, though the client may have read only a part of it. The
      // lifecycle ends all of them when the last answer has gone out; what comes on one before that is refused.
      server.closeIdleConnections = () => undefined
      server.closeAllConnections = () => {
        for (const socket of sockets) socket.destroy()
      }
      return server
    },
    lastWaiting: pipelines.lastWaiting,
  }
}
