import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import type { TrustedProxies } from '../../../configuration/trusted-proxies.ts'

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
function countedAddress(written: string | undefined): string | undefined {
  const [, six, four] = withPort.exec(written ?? '') ?? []
  const address = six ?? four ?? written ?? ''
  if (isIP(address) === 0) return undefined
  const counted = normalizeIP(address)
  return counted.includes(':') ? `${counted}/64` : counted
}

/** The address that a connection counts for; undefined for a trusted proxy, because many clients share its connections. */
export type PeerAddress = (socket: Pick<Socket, 'remoteAddress'>) => string | undefined

export function createPeerAddress(proxies: TrustedProxies | undefined): PeerAddress {
  // If the setting is a number of hops, only proxies can reach the service.
  if (typeof proxies === 'number') return () => undefined
  const believed = new BlockList()
  for (const range of proxies ?? []) {
    const [address = '', prefix] = range.split('/')
    const family = familyOf(address)
    believed.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return ({ remoteAddress: address }) =>
    address === undefined || believed.check(address, familyOf(address)) ? undefined : countedAddress(address)
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
