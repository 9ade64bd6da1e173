import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from './problem.ts'

/** The problem for a request whose outcome is unknown, with how to proceed. `cause` is a clause. */
export function unknownOutcome(cause: string, headers: IncomingHttpHeaders): Problem {
  const hasKey = headers['idempotency-key'] !== undefined
  const advice = hasKey ? sendAgain : 'Check before you send it again, and use an Idempotency-Key next time.'
  return {
    code: 'store-unavailable',
    message: `${cause}; the outcome of the request is unknown. ${advice}`,
  }
}

/** Safe for a request with a key, whatever its outcome. */
export const sendAgain = 'Send it again with the same Idempotency-Key; it takes effect only once.'
