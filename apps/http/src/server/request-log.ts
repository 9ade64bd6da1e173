import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** Writes the one line that a request has in the log. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, startMs: number): void {
  if (!logger.isLevelEnabled('info')) return
  const { id: requestId, method, url, caller } = request
  const ms = Math.round((performance.now() - startMs) * 100) / 100
  // A client that left early has not seen the status.
  const unseen = reply.raw.writableFinished ? undefined : true
  logger.info({ requestId, method, path: pathOf(url), status: reply.statusCode, ms, caller: caller?.key, unseen })
}

/** Paths only: a query may hold what a log must not. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
