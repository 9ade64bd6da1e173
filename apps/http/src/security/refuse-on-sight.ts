import { InvalidTokenError, tokenFaults } from './invalid-token.ts'

/** A token as it is written; whether its issuer has written it is not known yet. */
export type UnverifiedToken = {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  readonly signature: string
}

/** What is accepted of a token here, whatever it is signed with. */
export type AcceptedForm = {
  readonly algorithms: readonly string[]
  /** The claim that names the caller's user, where callers are bound to one. */
  readonly subjectClaim: string | undefined
}

/**
 * Refuses a token that no signature makes valid, before any key is looked for. It reads claims that nobody has verified, which
 * is enough to refuse and never to admit.
 * @throws InvalidTokenError
 */
export function refuseOnSight(token: UnverifiedToken, { algorithms, subjectClaim }: AcceptedForm): void {
  const { header, payload, signature } = token
  if (signature === '' || !algorithms.some((algorithm) => algorithm === header['alg'])) refuse(tokenFaults.signature)
  refuseTimes(payload['exp'], payload['nbf'])
  if (!isTextOrNone(payload['iss'])) refuse(tokenFaults.malformed)
  if (!canNameCaller(payload['sub'])) refuse(tokenFaults.subject)
  if (subjectClaim !== undefined && isInexact(payload[subjectClaim])) refuse(tokenFaults.subject)
}

/**
 * Times may be numbers that no Date holds (RFC 7519 bounds a NumericDate in no way). The library fails over those when it words
 * its refusal, so it gets only such as are valid.
 */
function refuseTimes(exp: unknown, nbf: unknown): void {
  if (!isTimeOrNone(exp) || !isTimeOrNone(nbf)) refuse(tokenFaults.malformed)
  const nowMs = Date.now()
  if (exp !== undefined && nowMs >= exp * 1000) refuse(tokenFaults.expired)
  if (nbf !== undefined && nowMs < nbf * 1000) refuse(tokenFaults.notYet)
}

// JSON.parse makes 1e400 infinite, and then it would never come to an end.
const isTimeOrNone = (value: unknown): value is number | undefined => value === undefined || Number.isFinite(value)

const isTextOrNone = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string'

// An integer beyond 2^53 has been rounded by now, and would be taken for its neighbour.
const isInexact = (value: unknown): boolean => typeof value === 'number' && !Number.isSafeInteger(value)
const canNameCaller = (value: unknown): boolean => isTextOrNone(value) || Number.isSafeInteger(value)

function refuse(message: string): never {
  throw new InvalidTokenError(message)
}
