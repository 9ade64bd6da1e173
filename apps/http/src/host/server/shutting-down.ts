import type { FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import { unknownOutcome } from '../answers/unknown-outcome.ts'

const headers = { connection: 'close' } as const

/** For a request that changed nothing. */
export const shuttingDown: Problem = {
  code: 'overloaded',
  message: 'The server is shutting down; nothing was changed. Send the request again.',
  headers,
}

/** For a request without a response at the shutdown. */
export function cutShort({ method, raw }: FastifyRequest): Problem {
  // An incomplete request has not started, and only POST changes data.
  if (!raw.complete || method !== 'POST') return shuttingDown
  return { ...unknownOutcome('The server is shutting down and the store has not responded', raw.headers), headers }
}
