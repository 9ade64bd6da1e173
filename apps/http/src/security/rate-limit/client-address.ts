import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The address that a request counts for: the client's, as far as proxies that are trusted tell it, else that of the connection.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return countedAddress(ip) ?? countedAddress(socket.remoteAddress) ?? 'unknown'
}

// Some proxies write the port behind it.
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+)):\d+$/

/**
 * The form in which an address is counted. IPv6 addresses count by their first 64 bits, as whoever has one has them all; IPv4
 * ones in IPv6 form as what they are. Undefined for what is no address: a proxy passes on whatever it got.
 */
export function countedAddress(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  const [, six, four] = withPort.exec(written) ?? []
  const text = six ?? four ?? written
  if (isIP(text) === 0) return undefined
  const address = ipaddr.process(text)
  return address instanceof ipaddr.IPv6 ? `${subnet(address)}::/64` : address.toString()
}

const subnet = ({ parts }: ipaddr.IPv6): string =>
  parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
