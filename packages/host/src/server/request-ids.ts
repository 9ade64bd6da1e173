import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

// Letters, digits, and separators of other systems, none of them special in a log or a shell. A repeated header contains a comma.
const saneId = /^[A-Za-z0-9._~:/+=@-]{1,128}$/

const prefix = randomBytes(9).toString('base64url')
let count = 0

/** An id that is unique across restarts and instances, as cheap as a counter. */
export const nextRequestId = (): string => `${prefix}.${++count}`

/** The id in the client's `X-Request-Id` header, if it is safe in a log; else a generated one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && saneId.test(sent) ? sent : nextRequestId()
}
