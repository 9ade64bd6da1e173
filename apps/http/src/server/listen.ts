import { once } from 'node:events'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type Listening = {
  /** An address to send requests to. */
  readonly url: string
  /** Whether other machines can reach the server by whatever address this one has. */
  readonly onEveryInterface: boolean
}

// How many connections may wait to be accepted, which is Linux's own default limit. The system drops those beyond it, and their clients
// try again after a second.
const backlog = 4_096

/**
 * Starts to listen, and returns where. Not Fastify's `listen`: for `localhost` that opens a second server, whose connections
 * it does not drain, and it prints a line.
 * @throws Error of Node's, such as EADDRINUSE
 */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<Listening> {
  await app.ready()
  app.server.listen({ host, port, backlog })
  await once(app.server, 'listening')
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address and a port')
  return reachedAt(host, address)
}

// What means every interface, with the address of the machine itself.
const everyInterface = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])

/** Where a server is reached that was told to listen on a host, and that is bound to an address, in its one spelling. */
export function reachedAt(host: string, { address, port }: Pick<AddressInfo, 'address' | 'port'>): Listening {
  const own = everyInterface.get(address)
  const name = own ?? (isIPv6(host) ? `[${host}]` : host)
  return { url: `http://${name}:${port}`, onEveryInterface: own !== undefined }
}
