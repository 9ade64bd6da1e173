import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Problem } from './problem.ts'

/** The problem for a request whose outcome is unknown, with how to proceed. `cause` is a clause. */
export function unknownOutcome(cause: string, headers: IncomingHttpHeaders): Problem {
  const hasKey = headers['idempotency-key'] !== undefined
  const advice = hasKey ? sendAgain : 'Check before you send it again, and use an Idempotency-Key next time.'
  return { code: 'store-unavailable', message: `${cause}; the outcome of the request is unknown. ${advice}` }
}

export const isWrite = (method: string): boolean => method === 'POST' || method === 'PATCH'

/** Safe for a request with a key, whatever its outcome. */
export const sendAgain = 'Send it again with the same Idempotency-Key; it takes effect only once.'

const closing = { connection: 'close' } as const

/** For a request that changed nothing. */
export const shuttingDown: Problem = {
  code: 'overloaded',
  message: 'The server is shutting down; nothing was changed. Send the request again.',
  headers: closing,
}

/** For a request without a response at the shutdown. */
export function cutShort({ method, raw }: FastifyRequest): Problem {
  // An incomplete request has not started.
  if (!raw.complete || !isWrite(method)) return shuttingDown
  const cause = 'The server is shutting down and the store has not responded'
  return { ...unknownOutcome(cause, raw.headers), headers: closing }
}
