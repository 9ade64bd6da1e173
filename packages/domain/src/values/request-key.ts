import * as v from 'valibot'

/** Whether a key of a client is valid: 1 to 255 visible ASCII characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

/**
 * The key of a request that a caller may send again and that takes effect only once. `caller` is a string of 1 to 100
 * characters. It is stored, so use a hash, not a subject or token. `key` has 1 to 255 characters of printable ASCII.
 */
export type RetryKey = { readonly caller: string; readonly key: string }

/** The stored form of a key. It must be unique in a store, so that a request creates only one resource. */
export type RequestKey = string & v.Brand<'RequestKey'>

export const StoredRequestKey = v.pipe(
  v.string(),
  v.transform((key) => key as RequestKey), // Only `requestKeyOf` creates stored keys.
)

export type KeyedOperation =
  | 'create-auction'
  | 'place-bid'
  | 'buy-now'
  | 'cancel-auction'
  | 'correct-auction'
  | 'extend-auction'
  | 'withdraw-bidder'
  | 'end-auction'
  | 'lower-reserve'
  | 'withdraw-own-bid'
  /** The key of an auction that is made of another one, which is the caller, with a number as its key. */
  | 'derived-auction'
  | 'create-register'
  | 'set-bidders'
  | 'create-sale'
  | 'add-lots'
  | 'extend-sale'
  /** The key of the extension of one lot. Its caller is the sale. */
  | 'extend-lot'

/**
 * Returns the stored form of a key. Keys are scoped to the caller and the operation.
 * @throws TypeError if `retry` is not a RetryKey
 */
export function requestKeyOf(operation: KeyedOperation, retry: RetryKey): RequestKey {
  // JavaScript programs may pass any value.
  if (typeof retry !== 'object' || retry === null) {
    throw new TypeError('a request key must be an object { caller, key } of two strings')
  }
  const { caller, key } = retry
  if (!isCaller(caller)) {
    throw new TypeError(
      'the caller of a request key { caller, key } must be a well-formed string of 1 to 100 characters',
    )
  }
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new TypeError('the key of a request key { caller, key } must be 1 to 255 characters of printable ASCII')
  }
  // A caller may contain spaces. The operation and the converted key do not, so the result is unambiguous.
  return `${operation} ${caller} ${key.replaceAll(' ', '\x7f')}` as RequestKey
}

const isCaller = (caller: unknown): boolean =>
  typeof caller === 'string' &&
  caller !== '' &&
  (caller.length <= 100 || (caller.length <= 200 && [...caller].length <= 100)) &&
  caller.isWellFormed()

/** The refusal of a key that was used for a different request. */
export type KeyReused = { readonly code: 'idempotency-key-reused' }
