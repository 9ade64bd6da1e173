import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { clientCode } from '../answers/problem.ts'
import { cut } from '../log/cut.ts'

/** Writes the one line that a request has in the log. Whatever the client has chosen in it is cut. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, startMs: number): void {
  if (!logger.isLevelEnabled('info')) return
  const { id: requestId, method, url } = request
  const { statusCode: status, problem } = reply
  const path = cut(pathOf(url))
  const caller = request.caller && cut(request.caller.key)
  const ms = Math.round((performance.now() - startMs) * 100) / 100
  const code = problem && clientCode(problem)
  // A client that left early has not seen the status.
  const unseen = reply.raw.writableFinished ? undefined : true
  logger.info({ requestId, method, path, status, code, reason: problem?.reason, ms, caller, unseen })
}

/** Paths only: a query may hold what a log must not. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
