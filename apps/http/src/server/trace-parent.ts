import type { IncomingHttpHeaders } from 'node:http'

/** The trace that a request is part of, and the span in it that has sent it. */
export type TraceParent = { readonly traceId: string; readonly parentSpanId: string }

// Version 00 has four fields; a later one begins with the same and may have more behind them. Version ff, and ids of zeros, are
// invalid, and what is invalid counts as not sent (W3C Trace Context, section 3.2).
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Reads the header `traceparent`, or returns undefined where it is not sent or not valid. */
export function traceParentOf({ traceparent }: IncomingHttpHeaders): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId, parentSpanId, more] = form.exec(traceparent) ?? []
  if (traceId === undefined || parentSpanId === undefined) return undefined
  return version === '00' && more !== undefined ? undefined : { traceId, parentSpanId }
}
