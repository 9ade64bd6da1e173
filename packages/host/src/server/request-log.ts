import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { codeOf } from '../answers/problem.ts'
import { cut } from '../log/cut.ts'
import { isProbe } from './probe-paths.ts'

/** Writes the request's line in the log. Text from the client is shortened. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, startMs: number): void {
  const { id: requestId, method, url } = request
  const { statusCode: status, problem } = reply
  // Health checks arrive every second, so only failures are logged.
  const level = status === 200 && isProbe(url) ? 'debug' : 'info'
  if (!logger.isLevelEnabled(level)) return
  const path = cut(pathOf(url))
  const caller = request.caller && cut(request.caller.key)
  const ms = Math.round((performance.now() - startMs) * 100) / 100
  const code = problem && codeOf(problem)
  // A client that disconnected early did not receive the status.
  const unseen = reply.raw.writableFinished ? undefined : true
  const trace = traceParentOf(request.headers)
  logger[level]({ requestId, ...trace, method, path, status, code, reason: problem?.reason, ms, caller, unseen })
}

/** Only paths: a query may contain secrets. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url

/** The trace of a request, and the span that sent it. */
type TraceParent = { readonly traceId: string; readonly parentSpanId: string }

// Later versions may append fields. Version ff and ids of zeros are invalid (W3C Trace Context, section 3.2).
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Reads the `traceparent` header; undefined if it is missing or invalid. */
export function traceParentOf({ traceparent }: IncomingHttpHeaders): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId, parentSpanId, more] = form.exec(traceparent) ?? []
  if (traceId === undefined || parentSpanId === undefined) return undefined
  return version === '00' && more !== undefined ? undefined : { traceId, parentSpanId }
}
