import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type Problem, sendProblem } from '../answers/problem.ts'
import type { Result } from '../result.ts'
import { headerCount } from '../server/requests.ts'
import type { Caller, CallerIdentification } from './callers.ts'
import type { RateLimits } from './rate-limit.ts'
import { InvalidTokenError, IssuerUnavailableError, issuerRetrySeconds } from './token-errors.ts'

/**
 * Creates the hook that decides whether a request may use a route: 401, then 403, then 429. A request with a valid
 * token counts for its caller, one without for its address, where 429 takes the place of 401. On a public route, a
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
