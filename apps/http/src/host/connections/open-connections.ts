import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ConnectionLimits } from '../../configuration/configuration.ts'
import type { PeerAddress } from './peer-address.ts'

type Connection = {
  readonly socket: Socket
  readonly address: string | undefined
  /** The response that is not complete yet. */
  answer: ServerResponse | undefined
  /** When it was opened, its last request began or its last answer ended, whichever is latest. */
  quietSinceMs: number
}

/** The limit that a new connection reached. */
export type FullLimit = 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS'

/** All connections of a server, within their limits. */
export type OpenConnections = {
  /** Adds a new connection. At a limit, it closes the connection that has been idle longest, or the new one if none is idle. */
  add(socket: Socket): void
  of(socket: Duplex): Connection | undefined
  /** Whether no request of it is in progress. A client may never send the rest of a request or read a response. */
  isIdle(socket: Duplex): boolean
  closeAll(): void
}

type Limits = Pick<ConnectionLimits, 'maxConnections' | 'maxConnectionsPerAddress'>

/** @param onFull is called for each connection that is closed to stay within a limit, with the address of the new one */
export function createOpenConnections(
  { maxConnections, maxConnectionsPerAddress }: Limits,
  addressOf: PeerAddress,
  onFull: (limit: FullLimit, address: string | undefined) => void,
): OpenConnections {
  const all = new Map<Duplex, Connection>()
  const ofAddresses = new Map<string, Set<Connection>>()

  function makeRoom(address: string | undefined): boolean {
    const own = address === undefined ? undefined : ofAddresses.get(address)
    if (own !== undefined && own.size >= maxConnectionsPerAddress) {
      onFull('MAX_CONNECTIONS_PER_ADDRESS', address)
      return closeLongestIdle(own)
    }
    if (all.size < maxConnections) return true
    onFull('MAX_CONNECTIONS', address)
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
    add(socket) {
      const address = addressOf(socket)
      if (!makeRoom(address)) {
        socket.destroy()
        return
      }
      const connection: Connection = {
        socket,
        address,
        answer: undefined,
        quietSinceMs: performance.now(),
      }
      all.set(socket, connection)
      if (address !== undefined) ofAddresses.set(address, (ofAddresses.get(address) ?? new Set()).add(connection))
      socket.once('close', () => remove(connection))
    },
    of: (socket) => all.get(socket),
    isIdle: (socket) => isIdle(all.get(socket)),
    closeAll() {
      for (const { socket } of all.values()) socket.destroy()
    },
  }
}

const isIdle = (connection: Connection | undefined): boolean => {
  const answer = connection?.answer
  return answer === undefined || answer.writableEnded || !answer.req.complete
}
