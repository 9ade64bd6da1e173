import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Problem, sendProblem } from '../responses/problem.ts'
import type { Result } from '../result.ts'
import { headerCount } from '../server/requests.ts'
import type { RateLimits } from './rate-limit.ts'
import { InvalidTokenError, IssuerUnavailableError, issuerRetrySeconds } from './token-errors.ts'
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

type CallerIdentification = ReturnType<typeof createCallerIdentification>

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

/**
 * Creates the hook that decides whether a request may use a route: 401, then 403, then 429. A request with a valid
 * token counts for its caller, one without for its address, where 429 replaces 401. On a public route, a
 * request without a token needs none. It is an `onRequest` hook, so it decides before the body is read.
 */
export type Admission = (required: RequiredPermissions) => onRequestAsyncHookHandler

type RequiredPermissions = {
  readonly isPublic: boolean
  /** Returns a required permission that is not granted, if any. */
  readonly missingIn: (granted: ReadonlySet<string>) => string | undefined
}

export function createAdmission(
  callers: CallerIdentification,
  limits: Pick<RateLimits, 'callers' | 'anonymous' | 'publicReads'>,
  permissionValues: Readonly<Record<string, string | undefined>>,
): Admission {
  async function refusal(
    request: FastifyRequest,
    reply: FastifyReply,
    { isPublic, missingIn }: RequiredPermissions,
  ): Promise<Problem | undefined> {
    if (isPublic && request.headers.authorization === undefined) {
      request.caller = callers.anonymous
      return limits.publicReads(request, reply)
    }
    const identity = await identify(request, callers)
    if (!identity.ok) {
      const { refusal: problem } = identity
      // The token may be valid if the issuer's keys are not available.
      return problem.code === 'unauthenticated' ? ((await limits.anonymous(request, reply)) ?? problem) : problem
    }
    request.caller = identity.value
    const exceeded = await limits.callers(request, reply)
    const missing = missingIn(identity.value.permissions)
    if (missing === undefined) return exceeded
    // A 429 would suggest that waiting helps, so the 403 comes first.
    const scope = permissionValues[missing]
    return {
      code: 'forbidden',
      message: `This operation requires a token with the permission ${missing} (${scope}).`,
      // RFC 6750, section 3.
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    }
  }

  return (required) => async (request, reply) => {
    const problem = await refusal(request, reply, required)
    if (problem !== undefined) return sendProblem(reply, problem)
  }
}

/** The caller of a request, or the problem if it has none. */
type Identity = Result<Caller, Problem>

// RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1).
const bearer = /^bearer(?: +(.*))?$/i
const b64token = /^[\w.~+/-]+=*$/

/** Identifies the caller by `Authorization: Bearer <token>`. Other schemes count as no token. */
async function identify({ raw }: FastifyRequest, callers: CallerIdentification): Promise<Identity> {
  const match = bearer.exec(raw.headers.authorization ?? '')
  // A proxy may have used another one than the first.
  const isRepeated = headerCount(raw, 'authorization') > 1
  if (match === null && !isRepeated) return noToken
  const token = match?.[1] ?? ''
  if (isRepeated || !b64token.test(token)) return malformedHeader
  try {
    return { ok: true, value: callers.find(token) ?? (await callers.verify(token)) }
  } catch (error) {
    if (error instanceof InvalidTokenError) return invalidToken(error.message)
    if (error instanceof IssuerUnavailableError) return issuerUnavailable
    throw error
  }
}

const unauthenticated = (reason: string, challenge: string): Identity => ({
  ok: false,
  refusal: {
    code: 'unauthenticated',
    message: `${reason} Send a valid JSON Web Token in the header "Authorization: Bearer <token>".`,
    headers: { 'www-authenticate': challenge },
    reason,
  },
})

const invalidToken = (reason: string): Identity =>
  unauthenticated(reason, `Bearer error="invalid_token", error_description="${reason}"`)

const noToken = unauthenticated('The request has no token.', 'Bearer')
const malformedHeader = invalidToken('The request must have one Authorization header with one token.')

const issuerUnavailable: Identity = {
  ok: false,
  refusal: {
    code: 'issuer-unavailable',
    message: "The keys of the token's issuer are not available. Nothing was changed; send the request again later.",
    headers: { 'retry-after': String(issuerRetrySeconds) },
  },
}
