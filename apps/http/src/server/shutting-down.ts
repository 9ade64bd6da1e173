import type { FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import { unknownOutcome } from '../answers/unknown-outcome.ts'

const headers = { connection: 'close' } as const

/** For a request for which nothing was done. */
export const shuttingDown: Problem = {
  code: 'overloaded',
  message: 'The server is shutting down; nothing was changed, and the request may be sent again.',
  headers,
}

/** For a request that the end of the server finds unanswered. */
export function cutShort({ method, raw }: FastifyRequest): Problem {
  // What has not arrived whole was not begun, and no other method than POST changes anything.
  if (!raw.complete || method !== 'POST') return shuttingDown
  return { ...unknownOutcome('The server is shutting down before the store has answered', raw.headers), headers }
}
