import type { IncomingHttpHeaders } from 'node:http'

/** The trace of a request, and the span that sent it. */
export type TraceParent = { readonly traceId: string; readonly parentSpanId: string }

// Version 00 has four fields; later versions may append fields. Version ff and ids of zeros are invalid, and an invalid header is
// ignored (W3C Trace Context, section 3.2).
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Reads the `traceparent` header; undefined if it is missing or invalid. */
export function traceParentOf({ traceparent }: IncomingHttpHeaders): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId, parentSpanId, more] = form.exec(traceparent) ?? []
  if (traceId === undefined || parentSpanId === undefined) return undefined
  return version === '00' && more !== undefined ? undefined : { traceId, parentSpanId }
}
