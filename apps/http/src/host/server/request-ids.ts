import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type RequestIds = ReturnType<typeof createRequestIds>

// Letters, digits, and separators of other systems, none of them special in a log or a shell. A repeated header contains a comma.
const saneId = /^[A-Za-z0-9._~:/+=@-]{1,128}$/

export function createRequestIds() {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  const next = () => `${process}.${++count}`
  return {
    /** An id that is unique across restarts and instances, as cheap as a counter. */
    next,
    /** The id in the client's `X-Request-Id` header, if it is safe in a log; else a generated one. */
    of({ headers }: IncomingMessage): string {
      const sent = headers['x-request-id']
      return typeof sent === 'string' && saneId.test(sent) ? sent : next()
    },
  }
}
