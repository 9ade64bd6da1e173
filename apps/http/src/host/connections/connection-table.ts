import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ConnectionLimits } from '../../configuration/configuration.ts'
import type { PeerAddress } from '../security/rate-limit/client-address.ts'
import type { ReportDropped } from './dropped-connections.ts'

type Connection = {
  readonly socket: Socket
  readonly address: string | undefined
  /** The response that is not complete yet. */
  answer: ServerResponse | undefined
  /** The request that was not complete when its response was, if the last one was such. */
  unfinished: IncomingMessage | undefined
  /** When it was opened, its last request began or its last answer ended, whichever is latest. */
  quietSinceMs: number
}

/** Browsers open up to 6 for each host. */
const connectionsOfBrowser = 8

/** The open connections of a server, including those that Node hands over (CONNECT), limited in total and per address. */
export function createConnectionTable(
  { maxConnections, maxConnectionsPerAddress }: ConnectionLimits,
  addressOf: PeerAddress,
  reportDropped: ReportDropped,
) {
  const all = new Map<Duplex, Connection>()
  const ofAddresses = new Map<string, Set<Connection>>()

  function makeRoom(address: string | undefined): boolean {
    const own = address === undefined ? undefined : ofAddresses.get(address)
    if (address !== undefined && own !== undefined && own.size >= maxConnectionsPerAddress) {
      reportDropped('too-many-of-address', { maxConnectionsPerAddress, address })
      return closeLongestIdle(own)
    }
    if (all.size < maxConnections) return true
    reportDropped('too-many-connections', { maxConnections })
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

  return {
    /** Adds a new connection. At a limit, it closes the connection that has been idle longest, or the new one if none is idle. */
    add(socket: Socket): void {
      const address = addressOf(socket)
      if (!makeRoom(address)) {
        socket.destroy()
        return
      }
      const quietSinceMs = performance.now()
      const connection: Connection = { socket, address, answer: undefined, unfinished: undefined, quietSinceMs }
      all.set(socket, connection)
      if (address !== undefined) ofAddresses.set(address, (ofAddresses.get(address) ?? new Set()).add(connection))
      socket.once('close', () => remove(connection))
    },
    /** Whether its address has more connections than a browser opens. Never for a trusted proxy, because many clients share its connections. */
    isCrowded(socket: Duplex): boolean {
      const address = all.get(socket)?.address
      return address !== undefined && (ofAddresses.get(address)?.size ?? 0) > connectionsOfBrowser
    },
    get: (socket: Duplex): Readonly<Connection> | undefined => all.get(socket),
    /** Records that a request has begun, and when its response ends. */
    begin(socket: Duplex, response: ServerResponse): void {
      const connection = all.get(socket)
      if (connection === undefined) return
      connection.answer = response
      connection.unfinished = undefined
      connection.quietSinceMs = performance.now()
      response.once('close', () => {
        connection.answer = undefined
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
export const isIdle = (connection: Readonly<Connection> | undefined): boolean => {
  const answer = connection?.answer
  return answer === undefined || answer.writableEnded || !answer.req.complete
}
