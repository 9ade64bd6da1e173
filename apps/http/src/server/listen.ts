import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Starts to listen, and answers where: the address to send requests to. Not Fastify's `listen`: for `localhost` that opens a
 * second server, whose connections it does not drain, and it prints a line.
 * @throws Error of Node's, such as EADDRINUSE
 */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.ready()
  app.server.listen({ host, port })
  await once(app.server, 'listening')
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address and a port')
  return `http://${reachable(host)}:${address.port}`
}

/** The host as it stands in a URL; an address that means every interface becomes this machine's own. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}
