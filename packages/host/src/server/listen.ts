import { once } from 'node:events'
import { type AddressInfo, isIPv6, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type Listening = {
  /** An address to send requests to. */
  readonly url: string
  /** Whether other machines can reach the server by every address of this one. */
  readonly onEveryInterface: boolean
}

// The default limit of Linux. The system drops further connections, and their clients try again after a second.
const backlog = 4_096

/**
 * Listens without Fastify's `listen`, which opens a second server for `localhost` and does not drain its connections.
 */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<Listening> {
  await app.ready()
  return listenOn(app.server, host, port)
}

/** @throws Node's errors, such as EADDRINUSE */
export async function listenOn(server: Server, host: string, port: number): Promise<Listening> {
  server.listen({ host, port, backlog })
  await once(server, 'listening')
  // The cast: a server that listens on a port has an address of this form.
  return reachedAt(host, server.address() as AddressInfo)
}

// The hosts that mean every interface, with the loopback address.
const everyInterface = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])

/** The URL of a server that listens on a host, from the canonical form of its bound address. */
export function reachedAt(host: string, { address, port }: Pick<AddressInfo, 'address' | 'port'>): Listening {
  const own = everyInterface.get(address)
  const name = own ?? (isIPv6(host) ? `[${host}]` : host)
  return { url: `http://${name}:${port}`, onEveryInterface: own !== undefined }
}
