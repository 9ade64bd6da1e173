import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { Logger } from 'pino'
import type { SettingNames } from '../setting-names.ts'

// Letters, digits, and separators of other systems, none of them special in a log or a shell. A repeated header
// contains a comma.
const saneId = /^[A-Za-z0-9._~:/+=@-]{1,128}$/

const idPrefix = randomBytes(9).toString('base64url')
let idCount = 0

/** An id that is unique across restarts and instances, as cheap as a counter. */
export const nextRequestId = (): string => `${idPrefix}.${++idCount}`

/** The id in the client's `X-Request-Id` header, if it is safe in a log; else a generated one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && saneId.test(sent) ? sent : nextRequestId()
}

/**
 * How often a request has a header, of which Node's `headers` keeps the first. `headersDistinct` would copy all
 * headers.
 */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  // Names are at even indexes, values at odd ones.
  return rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === name.length && text.toLowerCase() === name,
  ).length
}

export const probePaths = { live: '/livez', ready: '/readyz' } as const

const probeForm = /^\/(livez|readyz)\/?(\?|$)/i

/** Whether a request is a health check, which is never refused. */
export const isProbe = (url: string): boolean => probeForm.test(url)

/** Returns the path without the query, which may contain secrets. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url

/** The trace of a request, and the span that sent it. */
type TraceParent = { readonly traceId: string; readonly parentSpanId: string }

// Later versions may append fields. Version ff and ids of zeros are invalid (W3C Trace Context, section 3.2).
const traceParentForm = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Reads the `traceparent` header; undefined if it is missing or invalid. */
export function traceParentOf({ traceparent }: IncomingHttpHeaders): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId, parentSpanId, more] = traceParentForm.exec(traceparent) ?? []
  if (traceId === undefined || parentSpanId === undefined) return undefined
  return version === '00' && more !== undefined ? undefined : { traceId, parentSpanId }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the route's operation, for metrics and traces. */
    readonly operation?: string
  }
}

/** The common name of requests that no route serves, for any path and method. */
const unknownOperation = 'unknown'

/** The name of a request's operation. The number of names is limited: clients cannot create new ones. */
export const operationOf = ({ method, routeOptions }: FastifyRequest): string =>
  method === 'OPTIONS' ? 'options' : (routeOptions.config.operation ?? unknownOperation)

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
export function warnOfForwarded(app: FastifyInstance, logger: Logger, { trustedProxies: name }: SettingNames): void {
  let isWarned = false
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!isWarned && headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      logger.warn(
        `A request has the header X-Forwarded-For, which is ignored because ${name} is not set. If a proxy sends it, all clients of the proxy share the limits of one address; name the proxy in ${name}.`,
      )
    }
    done()
  })
}
