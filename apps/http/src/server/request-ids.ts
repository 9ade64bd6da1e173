import { randomBytes } from 'node:crypto'

/** Makes ids that are unique over restarts and instances, at the cost of counting. */
export function createRequestIds(): () => string {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  return () => `${process}.${++count}`
}
