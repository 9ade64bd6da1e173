import {
  createServer as createHttpServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { onceAMinute } from '../log/log.ts'
import type { PeerAddress } from '../server/requests.ts'
import type { DropReason, ServerObserver } from '../server/server-observer.ts'
import type { SettingNames } from '../setting-names.ts'
import { createConnectionErrors, endGently } from './connection-errors.ts'
import { type ConnectionCounts, createConnectionTable, isIdle, type ReportDropped } from './connection-table.ts'

type ConnectionLimits = ConnectionCounts & {
  /** The time in which a request must arrive. */
  readonly requestTimeoutSeconds: number
  /** The time after which a connection without a request in progress, or whose client does not read, is closed. */
  readonly idleTimeoutSeconds: number
}

type ConnectionParts = {
  readonly limits: ConnectionLimits
  readonly addressOf: PeerAddress
  readonly clock: { nowMs(): number }
  readonly logger: Logger
  /** See `addProblems`. */
  readonly problemUrn: string
  readonly names: SettingNames
  readonly observer?: ServerObserver | undefined
}

/** Every connection of a server, from its first byte to its end, including those that Node hands over (CONNECT). */
export function createConnections(parts: ConnectionParts) {
  const { limits, addressOf, clock, problemUrn, observer } = parts
  const reportDropped = createDropReport(parts)
  const connections = createConnectionTable(limits, addressOf, reportDropped)
  const { onClientError, onConnect } = createConnectionErrors(closeAfterResponse, problemUrn, observer)

  /**
   * Closes a connection after the response to its last request, since another response would belong to no request.
   * False if that response has not begun, and the request is not complete.
   */
  function closeAfterResponse(socket: Duplex): boolean {
    const { response, unfinished } = connections.get(socket) ?? {}
    if (response === undefined) {
      if (unfinished === undefined || unfinished.complete) return false
      endGently(socket)
      return true
    }
    if (!response.headersSent) {
      if (!response.req.complete) return false
      response.setHeader('connection', 'close')
    }
    response.once('close', () => endGently(socket))
    // See `endGently`.
    socket.resume()
    return true
  }

  function createServer(handle: RequestListener): Server {
    const server = createHttpServer(
      { ...serverOptions(limits), IncomingMessage: timedRequests(clock) },
      (request, response) => {
        connections.begin(request.socket, response)
        handle(request, response)
      },
    )
    // This time ends a client that does not read a response. Each part that it reads restarts it.
    server.timeout = limits.idleTimeoutSeconds * 1000
    server.on('connection', (socket) => {
      // The `close` event follows, and is handled.
      socket.on('error', () => undefined)
      socket.on('timeout', () => {
        const connection = connections.get(socket)
        // A client that does not read an event stream never lets it end.
        if (isIdle(connection) || connection?.response?.writableNeedDrain === true) socket.destroy()
      })
      takeOneAtATime(socket, () => connections.get(socket)?.response !== undefined)
      connections.add(socket)
    })
    // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    server.on('connect', (_request, socket) => onConnect(socket))
    server.on('upgrade', (_request, socket) => {
      reportDropped('pipelined')
      closeAfterResponse(socket)
    })
    // Node also closes connections with a request in progress if it has no listener.
    server.on('timeout', () => undefined)
    // Node takes a connection for idle as soon as its response is written, even if the client has read only a part of
    // it. The lifecycle closes all connections after the last response, and refuses requests that arrive before that.
    server.closeIdleConnections = () => undefined
    server.closeAllConnections = connections.destroyAll
    return server
  }

  const { isAboveShare, pauseMsOf } = connections
  return { createServer, onClientError, isAboveShare, pauseMsOf }
}

// The interval in which Node checks for late requests.
const checkMs = 500

function serverOptions({ requestTimeoutSeconds, idleTimeoutSeconds }: ConnectionLimits): ServerOptions {
  // Node detects a late request only at the next check.
  const arrivalMs = requestTimeoutSeconds * 1000 - checkMs
  return {
    // The lifecycle responds in the envelope.
    requireHostHeader: false,
    headersTimeout: arrivalMs,
    requestTimeout: arrivalMs,
    connectionsCheckingInterval: checkMs,
    // Clients receive this time. Node adds a second, so that no client sends during the close.
    keepAliveTimeout: idleTimeoutSeconds * 1000 - 1000,
    keepAliveTimeoutBuffer: 1000,
    // Requests for an upgrade get a normal response.
    shouldUpgradeCallback: () => false,
  }
}

/** An undocumented property of Node's sockets. The parser calls `onIncoming` for each head. */
type Parsed = { readonly parser: { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number } }

// Makes the parser stop after this head.
const stop = 2

/**
 * Accepts one request at a time on a connection. The server emits `upgrade` for a request that arrives before the last
 * response is complete, and parses nothing after it. Otherwise Node would parse all input, up to 3,000 requests in 64
 * KiB, before it sends a response. Only a request that upgrades its connection stops the parser earlier.
 */
function takeOneAtATime(socket: Socket, isResponding: () => boolean): void {
  // The cast: see the type. Without a parser, this throws, and tests fail.
  const { parser } = socket as Socket & Parsed
  const { onIncoming } = parser
  parser.onIncoming = (request, keepAlive) => {
    if (!isResponding()) return onIncoming(request, keepAlive)
    Object.assign(request, { upgrade: true })
    return stop
  }
}

const closes = 'closes the one that has been idle longest'

/** Returns a function that counts each dropped connection, and logs each reason at most once a minute. */
function createDropReport({ logger, names, observer }: ConnectionParts): ReportDropped {
  const logAs = (message: string) => onceAMinute<object>((closed, facts) => logger.warn({ ...facts, closed }, message))
  const logs: Readonly<Record<DropReason, (facts: object) => void>> = {
    'too-many-connections': logAs(`${names.maxConnections} is reached: each new connection ${closes}`),
    'too-many-of-address': logAs(
      `half of ${names.maxConnections} are in use, and an address has ${names.maxConnectionsPerAddress} or more: a new connection ${closes} of them; if it is a proxy, name it in ${names.trustedProxies}`,
    ),
    pipelined: logAs('closing connections on which a request arrived before the last response was complete'),
  }

  return (reason, facts = {}) => {
    logs[reason](facts)
    observer?.onDroppedConnection?.(reason)
  }
}

/** Requests that know when they had arrived whole. */
declare module 'node:http' {
  interface IncomingMessage {
    /** When the last byte of the request was read, in milliseconds since 1970; undefined until then. */
    arrivedAtMs?: number
    /** Fastify refuses a body for which it is above the limit. Infinity for one in too many parts, else undefined. */
    receivedEncodedLength?: number
  }
}

/** The maximum number of parts in which a body arrives, because each costs as much as hundreds of bytes in one. */
export const maxBodyParts = 4096

/**
 * Creates the class of a server's requests, which note when they had arrived whole. Neither the first byte counts, or a
 * client could choose the body after a deadline, nor the moment at which the body is used, before which the server may
 * wait for the keys of tokens or for Redis.
 */
const timedRequests = (clock: ConnectionParts['clock']): typeof IncomingMessage =>
  class TimedRequest extends IncomingMessage {
    private parts = 0

    /** Node's parser pushes each part of the body as soon as it is read, and null after the last one. */
    override push(chunk: unknown, encoding?: BufferEncoding): boolean {
      if (chunk === null) this.arrivedAtMs ??= clock.nowMs()
      else if (++this.parts > maxBodyParts) {
        if (this.receivedEncodedLength !== undefined) return true // The body is refused, so the rest is not read.
        this.receivedEncodedLength = Number.POSITIVE_INFINITY
      }
      return super.push(chunk, encoding)
    }
  }
