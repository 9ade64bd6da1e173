import { once } from 'node:events'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type Listening = {
  /** An address to send requests to. */
  readonly url: string
  /** Whether other machines can reach the server by every address of this one. */
  readonly onEveryInterface: boolean
}

// The number of connections that may wait for acceptance, the default limit of Linux. The system drops others, and their clients
// try again after a second.
const backlog = 4_096

/**
 * Starts to listen, and returns the address. Not by Fastify's `listen`: for `localhost` that opens a second server, whose
 * connections it does not drain, and it prints a line.
 * @throws Node's errors, such as EADDRINUSE
 */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<Listening> {
  await app.ready()
  app.server.listen({ host, port, backlog })
  await once(app.server, 'listening')
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address and a port')
  return reachedAt(host, address)
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
