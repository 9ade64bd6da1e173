import { createHash } from 'node:crypto'
import type { UserId } from '@auction/domain/ids'
import { type Permission, type PermissionChecker, permissions } from '@auction/domain/permissions'
import { LRUCache } from 'lru-cache'
import type { Viewer } from '../answers/viewer.ts'
import type { Claims, Verified, VerifyToken } from './token-verifier.ts'

/** Who sends a request, as far as a valid token tells. */
export type Caller = Viewer & {
  /** The same for all tokens of one subject of one issuer; a token without a subject is a caller of its own. */
  readonly key: string
  /** The key as it stands beside what the caller has stored: a hash, which shows nobody who it is. */
  readonly storedAs: string
}

/** Tells whose token it is. */
export type CallerIdentification = {
  /** The caller of a token that was verified before, as long as that counts. */
  find(token: string): Caller | undefined
  /** Rejects, or throws, as the verification does. */
  verify(token: string): Caller | Promise<Caller>
}

type KnownCaller = { readonly caller: Caller; readonly untilMs: number }

const maxKnownTokens = 10_000
// Of their texts; what is derived from them takes about as much again. Most tokens are a tenth as long as may be.
const maxKnownCharacters = 32 * 2 ** 20

/**
 * Verifies each token once for as long as the verification counts, rather than at each request, and derives what follows from
 * its claims as seldom. Tokens are remembered by their whole text, so no two are mistaken for each other, and never beyond
 * their `exp`; a token that is not valid is not remembered.
 */
export function createCallerIdentification(
  verifyToken: VerifyToken,
  checker: PermissionChecker<Claims>,
  userOf: (claims: Claims) => UserId | undefined,
): CallerIdentification {
  const known = new LRUCache<string, KnownCaller>({
    max: maxKnownTokens,
    maxSize: maxKnownCharacters,
    sizeCalculation: (_known, token) => token.length,
  })

  function remember(token: string, { claims, untilMs }: Verified): Caller {
    const key = keyOf(claims, token)
    const caller = { key, storedAs: hashOf(key), userId: userOf(claims), permissions: permissionsOf(claims, checker) }
    known.set(token, { caller, untilMs: Math.min(untilMs, expiryMs(claims)) })
    return caller
  }

  return {
    find(token) {
      const found = known.get(token)
      return found !== undefined && Date.now() < found.untilMs ? found.caller : undefined
    },
    verify(token) {
      const verified = verifyToken(token)
      return verified instanceof Promise ? verified.then((late) => remember(token, late)) : remember(token, verified)
    },
  }
}

// `exp` is in seconds (RFC 7519, section 4.1.4).
const expiryMs = ({ exp }: Claims): number => (typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY)

function keyOf({ iss, sub }: Claims, token: string): string {
  // A text by RFC 7519, section 4.1.2; some issuers write the same user as a number.
  if ((typeof sub === 'string' && sub !== '') || typeof sub === 'number')
    return JSON.stringify([iss ?? null, String(sub)])
  // Not the token itself, as keys are logged. Not its signature: that can be written in several
  // ways, each of which would be a caller with a budget of its own.
  const signed = token.slice(0, token.lastIndexOf('.'))
  return `token:${hashOf(signed)}`
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

const permissionsOf = (claims: Claims, checker: PermissionChecker<Claims>): ReadonlySet<Permission> =>
  new Set(permissions.filter((permission) => checker.allows(claims, permission)))
