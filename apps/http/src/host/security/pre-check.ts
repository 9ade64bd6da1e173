import { InvalidTokenError, tokenMessages } from './token-errors.ts'

/** A decoded token whose signature is not verified yet. */
export type UnverifiedToken = {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  readonly signature: string
}

export type AcceptedTokens = {
  readonly algorithms: readonly string[]
  /** The claim with the caller's user id, if callers are bound to users. */
  readonly subjectClaim: string | undefined
}

/**
 * Refuses a token that no key can make valid, before its key is looked up.
 * @throws InvalidTokenError
 */
export function preCheck(token: UnverifiedToken, { algorithms, subjectClaim }: AcceptedTokens): void {
  const { header, payload, signature } = token
  if (signature === '' || !algorithms.some((algorithm) => algorithm === header['alg'])) refuse('signature')
  checkTimes(payload['exp'], payload['nbf'])
  if (!isStringOrAbsent(payload['iss'])) refuse('malformed')
  const { sub } = payload
  if (!isStringOrAbsent(sub) && !Number.isSafeInteger(sub)) refuse('subject')
  if (subjectClaim !== undefined && isRounded(payload[subjectClaim])) refuse('subject')
}

/** The library throws a RangeError for times that no Date holds (RFC 7519 sets no bounds), so it gets only current ones. */
function checkTimes(exp: unknown, nbf: unknown): void {
  if (!isTimeOrAbsent(exp) || !isTimeOrAbsent(nbf)) refuse('malformed')
  const nowMs = Date.now()
  if (exp !== undefined && nowMs >= exp * 1000) refuse('expired')
  if (nbf !== undefined && nowMs < nbf * 1000) refuse('notYet')
}

// JSON.parse converts 1e400 to Infinity, so such a token would never expire.
const isTimeOrAbsent = (value: unknown): value is number | undefined => value === undefined || Number.isFinite(value)

const isStringOrAbsent = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string'

// JSON.parse rounds integers above 2^53, so such an id could be another user's.
const isRounded = (value: unknown): boolean => typeof value === 'number' && !Number.isSafeInteger(value)

function refuse(reason: keyof typeof tokenMessages): never {
  throw new InvalidTokenError(tokenMessages[reason])
}
