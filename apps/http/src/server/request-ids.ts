import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type RequestIds = {
  /** An id that is unique over restarts and instances, at the cost of counting. */
  next(): string
  /** The id that the client gives its request in the header `X-Request-Id`, if it may stand in a log; else one of ours. */
  of(request: IncomingMessage): string
}

// Letters, digits, and what ids of other systems are joined with. Nothing in it means anything to a log, a shell or a page. A header
// that is sent twice has a comma, and so is none of these.
const saneId = /^[A-Za-z0-9._~:/+=@-]{1,128}$/

export function createRequestIds(): RequestIds {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  const next = () => `${process}.${++count}`
  return {
    next,
    of({ headers }) {
      const sent = headers['x-request-id']
      return typeof sent === 'string' && saneId.test(sent) ? sent : next()
    },
  }
}
