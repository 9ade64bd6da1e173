import type * as v from 'valibot'

/** A key as a client sends it: 1 to 255 visible ASCII characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

/**
 * A caller's own name for a request, with which it may send that request again and have it done once. `caller` is a hash that
 * the host makes, or another text of at most 100 characters, since it is stored: no subject, and no token.
 */
export type RetryKey = { readonly caller: string; readonly key: string }

/** What is stored of a key with what its request made: unique in a store, or there are two resources for one request. */
export type RequestKey = string & v.Brand<'RequestKey'>

/** What can be asked for under a key. */
export type KeyedOperation = 'create-auction' | 'place-bid' | 'buy-now' | 'cancel-auction'

/** Keys are the caller's own, and stand for one operation. */
export const requestKeyOf = (operation: KeyedOperation, { caller, key }: RetryKey): RequestKey =>
  `${operation} ${caller} ${key}` as RequestKey // The key has no blank, and the operation none: no two keys are written alike.

/** The refusal for a key that made another resource than the request asks for. */
export type KeyReused = { readonly code: 'idempotency-key-reused' }
