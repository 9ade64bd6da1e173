import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { PeerAddress } from '../server/requests.ts'
import type { DropReason } from '../server/server-observer.ts'

export type ConnectionCounts = {
  readonly maxConnections: number
  /** The share of an address. */
  readonly maxConnectionsPerAddress: number
}

export type ReportDropped = (reason: DropReason, facts?: object) => void

type Connection = {
  readonly socket: Socket
  readonly address: string | undefined
  /** The response that is not complete yet. */
  response: ServerResponse | undefined
  /** The request that was not complete when its response was, if the last one was such. */
  unfinished: IncomingMessage | undefined
  /** When it was opened, its last request began or its last response ended, whichever is latest. */
  quietSinceMs: number
}

/** Browsers open up to 6 for each host. */
const connectionsOfBrowser = 8
const longestPauseMs = 1_000

/**
 * The open connections of a server, including those that Node hands over (CONNECT), limited in total and per address.
 * While at most half of them are in use, an address may have more than its share.
 */
export function createConnectionTable(
  { maxConnections, maxConnectionsPerAddress }: ConnectionCounts,
  addressOf: PeerAddress,
  reportDropped: ReportDropped,
) {
  const all = new Map<Duplex, Connection>()
  const addresses = createAddressTable(maxConnectionsPerAddress)

  /**
   * Makes room for a new connection. False if the new one must be closed, because none that may be closed for it is
   * idle.
   */
  function makeRoom(address: string | undefined): boolean {
    if (all.size < Math.floor(maxConnections / 2)) return true
    const own = addresses.of(address)
    if (own.size >= maxConnectionsPerAddress) {
      reportDropped('too-many-of-address', { maxConnectionsPerAddress, address })
      return closeLongestIdle(own)
    }
    if (reclaim()) return true
    if (all.size < maxConnections) return true
    reportDropped('too-many-connections', { maxConnections })
    return closeLongestIdle(all.values())
  }

  /**
   * Closes a connection of an address above its share. The largest loses first, even if it keeps its connections in
   * use.
   */
  function reclaim(): boolean {
    for (const [address, own] of addresses.aboveShare()) {
      if (!closeLongestIdle(own)) continue
      reportDropped('too-many-of-address', { maxConnectionsPerAddress, address })
      return true
    }
    return false
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
    all.delete(connection.socket)
    addresses.remove(connection)
  }

  return {
    /**
     * Adds a new connection. If another must close, it is the one that has been idle longest, of an address above its
     * share if there is one, or the new one if none is idle.
     */
    add(socket: Socket): void {
      const address = addressOf(socket)
      if (!makeRoom(address)) {
        socket.destroy()
        return
      }
      const quietSinceMs = performance.now()
      const connection: Connection = { socket, address, response: undefined, unfinished: undefined, quietSinceMs }
      all.set(socket, connection)
      addresses.add(connection)
      socket.once('close', () => remove(connection))
    },
    /**
     * Whether its address has more than its share of connections. Never for a trusted proxy, because many clients share
     * its connections.
     */
    isAboveShare: (socket: Duplex): boolean => addresses.of(all.get(socket)?.address).size > maxConnectionsPerAddress,
    /**
     * How long a connection is not read after a request that was not admitted; 0 if it is read at once, as those of a
     * trusted proxy always are. The time grows with the connections of an address above its share, so that all of them
     * send no more such requests than its share.
     */
    pauseMsOf(socket: Duplex, wasRefused: boolean): number {
      const { size } = addresses.of(all.get(socket)?.address)
      if (size <= (wasRefused ? connectionsOfBrowser : maxConnectionsPerAddress)) return 0
      return Math.min(longestPauseMs, pauseMs * Math.max(1, size / maxConnectionsPerAddress))
    },
    get: (socket: Duplex): Readonly<Connection> | undefined => all.get(socket),
    /** Records that a request has begun, and when its response ends. */
    begin(socket: Duplex, response: ServerResponse): void {
      const connection = all.get(socket)
      if (connection === undefined) return
      connection.response = response
      connection.unfinished = undefined
      connection.quietSinceMs = performance.now()
      response.once('close', () => {
        connection.response = undefined
        if (!response.req.complete) connection.unfinished = response.req
        connection.quietSinceMs = performance.now()
      })
    },
    destroyAll(): void {
      for (const { socket } of all.values()) socket.destroy()
    },
  }
}

/** Whether no request of it is in progress. A client may never send the rest of a request or read a response. */
export const isIdle = ({ response }: Partial<Connection> = {}): boolean =>
  response === undefined || response.writableEnded || !response.req.complete

/** The connections of each address. Those of trusted proxies have none. */
function createAddressTable(share: number) {
  const all = new Map<string, Set<Connection>>()
  const above = new Map<string, Set<Connection>>()

  return {
    of: (address: string | undefined): ReadonlySet<Connection> =>
      (address === undefined ? undefined : all.get(address)) ?? none,
    /** The addresses with more than their share, the largest first. */
    aboveShare: () => [...above].toSorted(([, one], [, other]) => other.size - one.size),
    add(connection: Connection): void {
      const { address } = connection
      if (address === undefined) return
      const own = (all.get(address) ?? new Set()).add(connection)
      all.set(address, own)
      if (own.size > share) above.set(address, own)
    },
    remove(connection: Connection): void {
      const { address } = connection
      const own = address === undefined ? undefined : all.get(address)
      if (address === undefined || own === undefined) return
      own.delete(connection)
      if (own.size <= share) above.delete(address)
      if (own.size === 0) all.delete(address)
    },
  }
}

const none: ReadonlySet<Connection> = new Set()

const pauseMs = 250

/**
 * Stops reading from the connection of a refused request for a while. A refusal costs more than half of a write in
 * memory, so clients that retry immediately could use all CPU time. Node reads the rest of an unused body, which would
 * end a pause, so it begins after that.
 */
export function pauseConnection(request: IncomingMessage, ms = pauseMs): void {
  const { socket } = request
  const pause = () => {
    socket.pause()
    setTimeout(() => socket.resume(), ms)
  }
  if (request.closed) pause()
  else request.once('close', pause)
}
