import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { clientCode } from '../answers/problem.ts'
import { cut } from '../log/cut.ts'
import { isProbe } from './probe-paths.ts'
import { traceParentOf } from './trace-parent.ts'

/** Writes the one line that a request has in the log. Whatever the client has chosen in it is cut. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, startMs: number): void {
  const { id: requestId, method, url } = request
  const { statusCode: status, problem } = reply
  // Probes come every second, and tell something when they fail.
  const level = status === 200 && isProbe(url) ? 'debug' : 'info'
  if (!logger.isLevelEnabled(level)) return
  const path = cut(pathOf(url))
  const caller = request.caller && cut(request.caller.key)
  const ms = Math.round((performance.now() - startMs) * 100) / 100
  const code = problem && clientCode(problem)
  // A client that left early has not seen the status.
  const unseen = reply.raw.writableFinished ? undefined : true
  const trace = traceParentOf(request.headers)
  logger[level]({ requestId, ...trace, method, path, status, code, reason: problem?.reason, ms, caller, unseen })
}

/** Paths only: a query may hold what a log must not. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
