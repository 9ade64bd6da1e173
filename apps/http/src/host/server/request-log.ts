import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { codeOf } from '../answers/problem.ts'
import { cut } from '../log/cut.ts'
import { isProbe } from './probe-paths.ts'
import { traceParentOf } from './trace-parent.ts'

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
