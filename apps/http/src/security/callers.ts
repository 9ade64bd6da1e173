import { createHash } from 'node:crypto'
import { type Permission, type PermissionChecker, permissions } from '@auction/domain/ports/permission-checker'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Claims, VerifyToken } from './token-verifier.ts'

/** Who sends a request, as far as a valid token tells. */
export type Caller = {
  readonly claims: Claims
  /** The same for all tokens of one subject of one issuer; a token without a subject is a caller of its own. */
  readonly key: string
  readonly permissions: ReadonlySet<Permission>
}

/** Tells whose token it is. Rejects, or throws, as the verification does. */
export type IdentifyCaller = (request: FastifyRequest, token: string) => Caller | Promise<Caller>

type KnownCaller = { readonly caller: Caller; readonly untilMs: number }

const maxKnownTokens = 10_000

// A key that is withdrawn from a key set counts for no longer than this with the tokens that it has signed.
const knownForMs = 60_000

/**
 * Verifies each token once a minute rather than at each request, and derives what follows from its claims as seldom. Tokens
 * are remembered by their whole text, so no two are mistaken for each other, and never beyond their `exp`; a token that is
 * not valid is not remembered.
 */
export function callerIdentification(verifyToken: VerifyToken, checker: PermissionChecker<Claims>): IdentifyCaller {
  const known = new LRUCache<string, KnownCaller>({ max: maxKnownTokens })

  function remember(token: string, claims: Claims): Caller {
    const caller = { claims, key: keyOf(claims, token), permissions: permissionsOf(claims, checker) }
    known.set(token, { caller, untilMs: Math.min(Date.now() + knownForMs, expiryMs(claims)) })
    return caller
  }

  return (request, token) => {
    const found = known.get(token)
    if (found !== undefined && Date.now() < found.untilMs) return found.caller
    const claims = verifyToken(request, token)
    return claims instanceof Promise ? claims.then((late) => remember(token, late)) : remember(token, claims)
  }
}

// `exp` is in seconds (RFC 7519, section 4.1.4).
const expiryMs = ({ exp }: Claims): number => (typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY)

function keyOf({ iss, sub }: Claims, token: string): string {
  // A text by RFC 7519, section 4.1.2; some issuers write a number.
  if ((typeof sub === 'string' && sub !== '') || typeof sub === 'number')
    return JSON.stringify([iss ?? null, String(sub)])
  // Not the token itself: keys are stored with idempotency keys, and logged.
  return `token:${createHash('sha256').update(token).digest('base64url')}`
}

const permissionsOf = (claims: Claims, checker: PermissionChecker<Claims>): ReadonlySet<Permission> =>
  new Set(permissions.filter((permission) => checker.allows(claims, permission)))
