import { type Parsed, validationFailed } from '@auction/domain/parsing'
import { isIdempotencyKey, type RetryKey } from '@auction/domain/request-key'
import { accepted, refused } from '@auction/domain/result'
import type { FastifyRequest } from 'fastify'

/** Reads the `Idempotency-Key` header. Node joins repeated headers with a space, which makes them invalid. */
export function parseRetryKey({ headers }: FastifyRequest, caller: string): Parsed<RetryKey | undefined> {
  const key = headers['idempotency-key']
  if (key === undefined) return accepted(undefined)
  if (typeof key === 'string' && isIdempotencyKey(key)) return accepted({ caller, key })
  const message = 'must be 1 to 255 visible ASCII characters'
  return refused(validationFailed({ pointer: '/Idempotency-Key', message }))
}
