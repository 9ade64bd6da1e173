import { isIP, type Socket } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { Logger } from 'pino'

/** The proxies whose `X-Forwarded-For` is trusted: addresses and networks, or how many forward each request. */
export type TrustedProxies = readonly string[] | number

/**
 * The option of Fastify, which trusts no proxy if it is a number. The function declares that clients can reach only the
 * proxies.
 */
export function trustProxyOption(proxies: TrustedProxies | undefined): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies
  return proxies === undefined ? false : [...proxies]
}

/** The address that a request counts for: the client's, as reported by trusted proxies, else that of the connection. */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return countedAddress(ip) ?? countedAddress(socket.remoteAddress) ?? 'unknown'
}

// Some proxies add the port.
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+)):\d+$/

/**
 * The form in which an address is counted: IPv6 addresses by their first 64 bits, because a client has all of those
 * addresses, and IPv4 addresses in IPv6 form as IPv4. Undefined for a text that is not an address, which a proxy may
 * forward.
 */
function countedAddress(written: string | undefined): string | undefined {
  const [, six, four] = withPort.exec(written ?? '') ?? []
  const address = six ?? four ?? written ?? ''
  if (isIP(address) === 0) return undefined
  const counted = normalizeIP(address)
  return counted.includes(':') ? `${counted}/64` : counted
}

/**
 * The address that a connection counts for; undefined for a trusted proxy, because many clients share its connections.
 */
export type PeerAddress = (socket: Pick<Socket, 'remoteAddress'>) => string | undefined

export function createPeerAddress(proxies: TrustedProxies | undefined): PeerAddress {
  // A number of hops declares that only proxies can reach the service.
  if (typeof proxies === 'number') return () => undefined
  // Fastify's own check of X-Forwarded-For.
  const isTrusted = proxyAddress.compile([...(proxies ?? [])])
  return ({ remoteAddress: address }) =>
    address === undefined || isTrusted(address, 0) ? undefined : countedAddress(address)
}

/**
 * Warns once if an untrusted proxy seems to forward requests, because its clients then share the limits of one address.
 */
export function warnOfForwarded(app: FastifyInstance, logger: Logger): void {
  let isWarned = false
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!isWarned && headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      logger.warn(
        'A request has the header X-Forwarded-For, which is ignored because TRUST_PROXY is not set. If a proxy sends it, all clients of the proxy share the limits of one address; name the proxy in TRUST_PROXY.',
      )
    }
    done()
  })
}
