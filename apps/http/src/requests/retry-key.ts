import { isIdempotencyKey, type RetryKey } from '@auction/domain/request-key'
import { accepted, refused } from '@auction/domain/result'
import { type Parsed, validationFailed } from '@auction/domain/validation'
import type { FastifyRequest } from 'fastify'

/** Reads the header `Idempotency-Key`. A header that is sent twice is joined with a blank, and so is faulty. */
export function parseRetryKey({ headers }: FastifyRequest, caller: string): Parsed<RetryKey | undefined> {
  const key = headers['idempotency-key']
  if (key === undefined) return accepted(undefined)
  if (typeof key === 'string' && isIdempotencyKey(key)) return accepted({ caller, key })
  const message = 'the header Idempotency-Key must be 1 to 255 visible ASCII characters'
  return refused(validationFailed({ pointer: '/Idempotency-Key', message }))
}
