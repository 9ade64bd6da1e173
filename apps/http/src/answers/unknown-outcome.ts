import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from './problem.ts'

/** Says that nobody knows what has become of a request, and how to find out. `why` is a whole clause. */
export function unknownOutcome(why: string, headers: IncomingHttpHeaders): Problem {
  const hasKey = headers['idempotency-key'] !== undefined
  const advice = hasKey ? sendOnceMore : 'look before sending it again, and give it an Idempotency-Key the next time'
  return {
    code: 'store-unavailable',
    message: `${why}; it is unknown whether the request was carried out: ${advice}.`,
  }
}

/** What works for a request with a key, whatever became of it. */
export const sendOnceMore = 'send it again with the same Idempotency-Key, and it is done once'
