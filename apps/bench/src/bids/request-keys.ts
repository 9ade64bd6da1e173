import { createHash, randomUUID } from 'node:crypto'
import { type RequestKey, type RetryKey, requestKeyOf } from '@auction/domain/request-key'

/** Whether each bid has an `Idempotency-Key`, which is then stored with it. */
export type Keys = 'with-keys' | 'without-keys'

// As long as what a host makes of a token's subject.
const caller = createHash('sha256').update('caller').digest('base64url')

/** What the next request is sent with: a new UUID, as clients use them. */
export const nextRetryKey = (keys: Keys): RetryKey | undefined =>
  keys === 'with-keys' ? { caller, key: randomUUID() } : undefined

/** The same as it is stored. */
export function nextRequestKey(keys: Keys): RequestKey | undefined {
  const retry = nextRetryKey(keys)
  return retry && requestKeyOf('place-bid', retry)
}
