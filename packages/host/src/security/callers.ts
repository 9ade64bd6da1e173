import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Claims, VerifyToken } from './token-verifier.ts'

/**
 * The data of the caller in the claims of its token. The API declares here what it reads in addition to permissions.
 */
export interface CallerClaims {
  readonly permissions: ReadonlySet<string>
}

/** The sender of a request, as identified by a valid token. */
export type Caller = CallerClaims & {
  /** Equal for all tokens of one subject of one issuer. A token without a subject is a separate caller. */
  readonly key: string
  /** The key in the form that is stored with what the caller creates: a hash, which does not identify a person. */
  readonly storedAs: string
  /** When the token expires, with the tolerance for clocks; infinity if it does not. */
  readonly expiresAtMs: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on a request whose token is valid. */
    caller: Caller | undefined
  }
}

/** The caller of an admitted request. @throws on a route without admission */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === undefined) throw new Error('this route has no admission, so the request has no caller')
  return caller
}

const anonymousKey = 'anonymous'

/** Whether the sender of the request needs no token and sent none. */
export const isAnonymous = ({ caller }: FastifyRequest): boolean => caller?.key === anonymousKey

export type CallerIdentification = ReturnType<typeof createCallerIdentification>

const maxKnownTokens = 10_000
// The length of the tokens alone; their callers take about as much memory. Most tokens have a tenth of the maximum
// length.
const maxKnownCharacters = 32 * 2 ** 20

/**
 * Verifies each token once for as long as the verification counts, which is at most until it expires. Only valid tokens
 * are cached. The key of the cache is the whole token: hashing it would cost more than comparing it.
 */
export function createCallerIdentification(verifyToken: VerifyToken, readClaims: (claims: Claims) => CallerClaims) {
  const known = new LRUCache<string, { readonly caller: Caller; readonly untilMs: number }>({
    max: maxKnownTokens,
    maxSize: maxKnownCharacters,
    sizeCalculation: (_known, token) => token.length,
  })

  const callerWith = (claims: Claims, key: string, expiresAtMs: number): Caller => ({
    ...readClaims(claims),
    key,
    storedAs: hashOf(key),
    expiresAtMs,
  })

  return {
    /** The caller of a token whose earlier verification still counts. */
    find(token: string): Caller | undefined {
      const verified = known.get(token)
      return verified !== undefined && Date.now() < verified.untilMs ? verified.caller : undefined
    },
    /** Fails as `VerifyToken` and `readClaims` do. */
    async verify(token: string): Promise<Caller> {
      const { claims, untilMs, expiresAtMs } = await verifyToken(token)
      const caller = callerWith(claims, keyOf(claims, token), expiresAtMs)
      known.set(token, { caller, untilMs: Math.min(untilMs, expiresAtMs) })
      return caller
    },
    /** The caller without a token, who has only what every token gives. */
    anonymous: callerWith({}, anonymousKey, Number.POSITIVE_INFINITY),
  }
}

function keyOf({ iss, sub }: Claims, token: string): string {
  // RFC 7519, section 4.1.2, requires a string; some issuers write the same user as a number.
  if ((typeof sub === 'string' && sub !== '') || typeof sub === 'number')
    return JSON.stringify([iss ?? null, String(sub)])
  // Keys are logged, so this one is a hash. The signature is left out: each of its spellings would be another caller.
  const signed = token.slice(0, token.lastIndexOf('.'))
  return `token:${hashOf(signed)}`
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
