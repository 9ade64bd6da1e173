import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/** The address that a request counts for: the client's, as reported by trusted proxies, else that of the connection. */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return countedAddress(ip) ?? countedAddress(socket.remoteAddress) ?? 'unknown'
}

// Some proxies add the port.
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+)):\d+$/

/**
 * The form in which an address is counted: IPv6 addresses by their first 64 bits, because a client has all of those addresses, and
 * IPv4 addresses in IPv6 form as IPv4. Undefined for a text that is not an address, which a proxy may forward.
 */
export function countedAddress(written: string | undefined): string | undefined {
  const [, six, four] = withPort.exec(written ?? '') ?? []
  const address = six ?? four ?? written ?? ''
  if (isIP(address) === 0) return undefined
  const counted = normalizeIP(address)
  return counted.includes(':') ? `${counted}/64` : counted
}
