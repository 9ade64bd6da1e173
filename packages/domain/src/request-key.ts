import type * as v from 'valibot'

/** A key as a client sends it: 1 to 255 visible ASCII characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

/**
 * A caller's own name for a request, with which it may send that request again and have it done once. `caller` is a hash that
 * the host makes, or another text of 1 to 100 characters, since it is stored: no subject, and no token. `key` has 1 to 255 characters
 * of printable ASCII, blanks included.
 */
export type RetryKey = { readonly caller: string; readonly key: string }

/** What is stored of a key with what its request made: unique in a store, or there are two resources for one request. */
export type RequestKey = string & v.Brand<'RequestKey'>

/** What can be asked for under a key. */
export type KeyedOperation = 'create-auction' | 'place-bid' | 'buy-now' | 'cancel-auction'

/**
 * Keys are scoped to the caller and the operation: different ones never become the same text.
 * @throws TypeError when `retry` is not a RetryKey; its message says what is expected
 */
export function requestKeyOf(operation: KeyedOperation, retry: RetryKey): RequestKey {
  // Programs in JavaScript may pass anything.
  if (typeof retry !== 'object' || retry === null) {
    throw new TypeError('a request key must be an object { caller, key } of two texts')
  }
  const { caller, key } = retry
  if (!isCaller(caller)) {
    throw new TypeError('the caller of a request key { caller, key } must be a well-formed text of 1 to 100 characters')
  }
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new TypeError('the key of a request key { caller, key } must be 1 to 255 characters of printable ASCII')
  }
  // A caller may have blanks. The operation has none, and neither has the key in this form, so no two are written alike.
  return `${operation} ${caller} ${key.replaceAll(' ', '\x7f')}` as RequestKey
}

const isCaller = (caller: unknown): boolean =>
  typeof caller === 'string' &&
  caller !== '' &&
  (caller.length <= 100 || (caller.length <= 200 && [...caller].length <= 100)) &&
  caller.isWellFormed()

/** The refusal for a key that made another resource than the request asks for. */
export type KeyReused = { readonly code: 'idempotency-key-reused' }
