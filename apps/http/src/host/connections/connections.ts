import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { ConnectionLimits } from '../../configuration/configuration.ts'
import { onceAMinute } from '../log/once-a-minute.ts'
import type { PeerAddress } from '../security/rate-limit/client-address.ts'
import type { DropReason, ServerWatch } from '../server/watch.ts'
import { createConnectionErrors } from './connection-errors.ts'

const closes = 'closes the one that has been idle longest'

// The interval in which Node checks for late requests.
const checkMs = 500

type ConnectionParts = {
  readonly limits: ConnectionLimits
  readonly addressOf: PeerAddress
  readonly logger: Logger
  readonly watch?: ServerWatch | undefined
}

type Connection = {
  readonly socket: Socket
  readonly address: string | undefined
  /** The response that is not complete yet. */
  answer: ServerResponse | undefined
  /** When it was opened, its last request began or its last answer ended, whichever is latest. */
  quietSinceMs: number
}

/** Every connection of a server, from its first byte to its end, including those that Node hands over (CONNECT). */
export function createConnections({ limits, addressOf, logger, watch }: ConnectionParts) {
  const { maxConnections, maxConnectionsPerAddress } = limits
  const all = new Map<Duplex, Connection>()
  const ofAddresses = new Map<string, Set<Connection>>()
  const noteFull = noteDropped('too-many-connections', `MAX_CONNECTIONS is reached: each new connection ${closes}`)
  const noteAddressFull = noteDropped(
    'too-many-of-address',
    `an address has reached MAX_CONNECTIONS_PER_ADDRESS: each of its new connections ${closes}; if it is a proxy, name it in TRUST_PROXY`,
  )
  const notePipelined = noteDropped(
    'pipelined',
    'closing connections on which a request arrived before the last response was complete',
  )

  /** Counts a dropped connection, and logs it at most once a minute. */
  function noteDropped(reason: DropReason, message: string): (facts?: object) => void {
    const report = onceAMinute<object>((closed, facts) => logger.warn({ ...facts, closed }, message))
    return (facts = {}) => {
      report(facts)
      watch?.onDroppedConnection?.(reason)
    }
  }

  /** Adds a new connection. At a limit, it closes the connection that has been idle longest, or the new one if none is idle. */
  function add(socket: Socket): void {
    const address = addressOf(socket)
    if (!makeRoom(address)) {
      socket.destroy()
      return
    }
    const connection: Connection = { socket, address, answer: undefined, quietSinceMs: performance.now() }
    all.set(socket, connection)
    if (address !== undefined) ofAddresses.set(address, (ofAddresses.get(address) ?? new Set()).add(connection))
    socket.once('close', () => remove(connection))
  }

  function makeRoom(address: string | undefined): boolean {
    const own = address === undefined ? undefined : ofAddresses.get(address)
    if (address !== undefined && own !== undefined && own.size >= maxConnectionsPerAddress) {
      noteAddressFull({ maxConnectionsPerAddress, address })
      return closeLongestIdle(own)
    }
    if (all.size < maxConnections) return true
    noteFull({ maxConnections })
    return closeLongestIdle(all.values())
  }

  function closeLongestIdle(connections: Iterable<Connection>): boolean {
    let longest: Connection | undefined
    for (const connection of connections) {
      const isLonger = longest === undefined || connection.quietSinceMs < longest.quietSinceMs
      if (isLonger && isIdle(connection)) longest = connection
    }
    if (longest === undefined) return false
    // The `close` event follows later.
    remove(longest)
    longest.socket.destroy()
    return true
  }

  function remove(connection: Connection): void {
    const { socket, address } = connection
    all.delete(socket)
    if (address === undefined) return
    const own = ofAddresses.get(address)
    own?.delete(connection)
    if (own?.size === 0) ofAddresses.delete(address)
  }

  function noting(handle: RequestListener): RequestListener {
    return (request, response) => {
      const connection = all.get(request.socket)
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

  /** Closes a connection after the response to the last complete request. False if no complete request has arrived. */
  function closeAfterAnswer(socket: Duplex): boolean {
    const connection = all.get(socket)
    const { answer } = connection ?? {}
    if (connection === undefined || !answer?.req.complete) return false
    if (!answer.headersSent) answer.setHeader('connection', 'close')
    answer.once('close', () => connection.socket.destroySoon())
    // See `endWith` in connection-errors.ts.
    socket.resume()
    return true
  }

  const { onClientError, onConnect } = createConnectionErrors(closeAfterAnswer, watch)

  function createServer(handle: RequestListener): Server {
    // Node detects a late request only at the next check.
    const arrivalMs = limits.requestTimeoutSeconds * 1000 - checkMs
    const idleMs = limits.idleTimeoutSeconds * 1000
    const server = createHttpServer(
      {
        // The lifecycle responds in the envelope.
        requireHostHeader: false,
        headersTimeout: arrivalMs,
        requestTimeout: arrivalMs,
        connectionsCheckingInterval: checkMs,
        // Clients receive this time. Node adds a second, so that no client sends during the close.
        keepAliveTimeout: idleMs - 1000,
        keepAliveTimeoutBuffer: 1000,
        // Requests for an upgrade get a normal response.
        shouldUpgradeCallback: () => false,
      },
      noting(handle),
    )
    // For a client that does not read a response. Each part that it reads restarts this time.
    server.timeout = idleMs
    server.on('connection', (socket) => {
      // The `close` event follows, and is handled.
      socket.on('error', () => undefined)
      socket.on('timeout', () => {
        const connection = all.get(socket)
        // A client that does not read an event stream never lets it end.
        if (isIdle(connection) || connection?.answer?.writableNeedDrain === true) socket.destroy()
      })
      takeOneAtATime(socket, () => all.get(socket)?.answer !== undefined)
      add(socket)
    })
    // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    server.on('connect', (_request, socket) => onConnect(socket))
    server.on('upgrade', (_request, socket) => {
      notePipelined()
      closeAfterAnswer(socket)
    })
    // Without a listener, Node also closes connections with a request in progress.
    server.on('timeout', () => undefined)
    // For Node, a connection is idle as soon as its response is written, even if the client has read only a part of it. The
    // lifecycle closes all connections after the last response, and refuses requests that arrive before that.
    server.closeIdleConnections = () => undefined
    server.closeAllConnections = () => {
      for (const { socket } of all.values()) socket.destroy()
    }
    return server
  }

  return { createServer, onClientError }
}

/** Whether no request of it is in progress. A client may never send the rest of a request or read a response. */
const isIdle = (connection: Connection | undefined): boolean => {
  const answer = connection?.answer
  return answer === undefined || answer.writableEnded || !answer.req.complete
}

/** An undocumented property of Node's sockets. The parser calls `onIncoming` for each head. */
type Parsed = { readonly parser: { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number } }

// Makes the parser stop after this head.
const stop = 2

/**
 * Accepts one request at a time on a connection. The server emits `upgrade` for a request that arrives before the last response is
 * complete, and parses nothing after it. Otherwise Node would parse all input, up to 3,000 requests in 64 KiB, before it sends a
 * response. Only a request that upgrades its connection stops the parser earlier.
 */
function takeOneAtATime(socket: Socket, isAnswering: () => boolean): void {
  // The cast: see the type. Without a parser, this throws, and tests fail.
  const { parser } = socket as Socket & Parsed
  const { onIncoming } = parser
  parser.onIncoming = (request, keepAlive) => {
    if (!isAnswering()) return onIncoming(request, keepAlive)
    Object.assign(request, { upgrade: true })
    return stop
  }
}
