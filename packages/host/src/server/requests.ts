import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

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
  // Names are at even places, values at odd ones.
  return rawHeaders.filter(
    (text, place) => place % 2 === 0 && text.length === name.length && text.toLowerCase() === name,
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
