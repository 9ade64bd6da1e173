import jwt, { type FastifyJWTOptions } from '@fastify/jwt'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { SettingNames } from '../setting-names.ts'
import { type PublicKey, type PublicKeyAlgorithm, publicKeyAlgorithms } from './public-key.ts'
import { InvalidTokenError, tokenMessages } from './token-errors.ts'

/**
 * What verifies tokens: a secret that the issuer has too, a public key of the issuer, or the set of its keys at a URL.
 */
export type TokenKey =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'public-key'; readonly publicKey: PublicKey }
  | { readonly kind: 'key-set'; readonly url: URL; readonly maxStaleSeconds: number }

type TokenRules = {
  /** The issuer that a token must have; undefined for any. */
  readonly issuer: string | undefined
  /** The audience that a token must have; undefined for any. */
  readonly audience: string | undefined
  readonly clockToleranceMs: number
}

export type Claims = Readonly<Record<string, unknown>>

type UnverifiedToken = { readonly header: Claims; readonly payload: Claims; readonly signature: string }

/** The claims of a valid token. */
type Verified = {
  readonly claims: Claims
  /** The time until which the verification counts. The token may expire earlier. */
  readonly untilMs: number
  /** When the token expires, with the tolerance for clocks; infinity if it does not. */
  readonly expiresAtMs: number
}

/**
 * Verifies a token: its signature by an accepted algorithm, `exp` and `nbf`, and issuer and audience if they are
 * configured. The result is a promise only with a key set.
 * @throws InvalidTokenError; IssuerUnavailableError if the key set is not available
 */
export type VerifyToken = (token: string) => Verified | Promise<Verified>

export async function createTokenVerifier(
  app: FastifyInstance,
  key: TokenKey,
  rules: TokenRules,
  logger: Logger,
  names: SettingNames,
): Promise<VerifyToken> {
  const { secret, algorithms } = optionsOf(key)
  const { issuer, audience, clockToleranceMs } = rules
  const verify = {
    algorithms: [...algorithms],
    ...(issuer !== undefined && { allowedIss: issuer }),
    ...(audience !== undefined && { allowedAud: audience }),
    // The library accepts a token without the claim unless the claim is required.
    requiredClaims: [...(issuer === undefined ? [] : ['iss']), ...(audience === undefined ? [] : ['aud'])],
    clockTolerance: clockToleranceMs,
    // callers.ts caches verified tokens.
    cache: false,
  }
  await app.register(jwt, { secret, decode: { complete: true }, verify })

  /** Refuses a token that no key can make valid, before its key is looked up. Returns its header. */
  function preCheck(token: string): Claims {
    const unverified = callLibrary(() => app.jwt.decode<UnverifiedToken>(token))
    if (unverified === null) return refuse('malformed')
    const { header, payload, signature } = unverified
    if (signature === '' || !algorithms.some((algorithm) => algorithm === header['alg'])) refuse('signature')
    checkTimes(payload['exp'], payload['nbf'], clockToleranceMs)
    if (!isStringOrAbsent(payload['iss'])) refuse('malformed')
    const { sub } = payload
    // JSON.parse rounds larger integers, so such a subject could be another one.
    if (!isStringOrAbsent(sub) && !Number.isSafeInteger(sub)) refuse('subject')
    return header
  }

  function verifyWithOneOf(keys: readonly PublicKey[], token: string): Claims {
    for (const { pem, algorithms } of keys) {
      try {
        return callLibrary(() => app.jwt.verify<Claims>(token, { key: pem, algorithms: [...algorithms] }))
      } catch (error) {
        // Another key may have signed it.
        if (!(error instanceof InvalidTokenError) || error.message !== tokenMessages.signature) throw error
      }
    }
    return refuse('signature')
  }

  if (key.kind === 'key-set') {
    const { openKeySet } = await import('./key-set.ts')
    const findKeys = openKeySet(key, logger, names)
    return async (token) => {
      const { keys, untilMs } = await findKeys(preCheck(token))
      const claims = verifyWithOneOf(keys, token)
      return { claims, untilMs, expiresAtMs: expiryMs(claims, clockToleranceMs) }
    }
  }
  return (token) => {
    preCheck(token)
    const claims = callLibrary(() => app.jwt.verify<Claims>(token))
    return { claims, untilMs: Number.POSITIVE_INFINITY, expiresAtMs: expiryMs(claims, clockToleranceMs) }
  }
}

/** Signs a token by the secret with which the server verifies. */
export const signToken = (app: FastifyInstance, claims: object): string => app.jwt.sign(claims)

type Algorithm = PublicKeyAlgorithm | 'HS256'
type KeyOptions = { readonly secret: FastifyJWTOptions['secret']; readonly algorithms: readonly Algorithm[] }

function optionsOf(key: TokenKey): KeyOptions {
  if (key.kind === 'secret') return { secret: key.secret, algorithms: ['HS256'] }
  if (key.kind === 'public-key') return { secret: { public: key.publicKey.pem }, algorithms: key.publicKey.algorithms }
  // Each verification passes its own key of the set.
  const noKey = () => Promise.reject(new Error('A token was verified without a key.'))
  return { secret: { public: noKey }, algorithms: publicKeyAlgorithms }
}

// The library's error codes that describe the token. Other errors are bugs of this service.
const messages = new Map<unknown, string>([
  ['FAST_JWT_EXPIRED', tokenMessages.expired],
  ['FAST_JWT_INACTIVE', tokenMessages.notYet],
  ['FAST_JWT_INVALID_CLAIM_VALUE', tokenMessages.claims],
  ['FAST_JWT_MISSING_REQUIRED_CLAIM', tokenMessages.claims],
  ['FAST_JWT_INVALID_ALGORITHM', tokenMessages.signature],
  ['FAST_JWT_INVALID_SIGNATURE', tokenMessages.signature],
  ['FAST_JWT_MISSING_SIGNATURE', tokenMessages.signature],
  ['FAST_JWT_VERIFY_ERROR', tokenMessages.signature],
  ['FAST_JWT_MALFORMED', tokenMessages.malformed],
  // @fastify/jwt throws this for a malformed token that it decodes.
  ['FST_JWT_AUTHORIZATION_TOKEN_INVALID', tokenMessages.malformed],
  ['FAST_JWT_INVALID_TYPE', tokenMessages.malformed],
  ['FAST_JWT_INVALID_PAYLOAD', tokenMessages.malformed],
  ['FAST_JWT_INVALID_CLAIM_TYPE', tokenMessages.malformed],
  ['FAST_JWT_INVALID_CRIT_HEADER', tokenMessages.malformed],
])

function callLibrary<Value>(call: () => Value): Value {
  try {
    return call()
  } catch (error) {
    const message = messages.get(error instanceof Error && 'code' in error ? error.code : undefined)
    throw message === undefined ? error : new InvalidTokenError(message)
  }
}

/**
 * The library throws a RangeError for times that no Date holds (RFC 7519 sets no bounds), so it gets only current ones.
 */
function checkTimes(exp: unknown, nbf: unknown, toleranceMs: number): void {
  if (!isTimeOrAbsent(exp) || !isTimeOrAbsent(nbf)) refuse('malformed')
  const nowMs = Date.now()
  if (nowMs >= expiryMs({ exp }, toleranceMs)) refuse('expired')
  if (nbf !== undefined && nowMs < nbf * 1000 - toleranceMs) refuse('notYet')
}

// `exp` is in seconds (RFC 7519, section 4.1.4).
const expiryMs = ({ exp }: Claims, toleranceMs: number): number =>
  typeof exp === 'number' ? exp * 1000 + toleranceMs : Number.POSITIVE_INFINITY

// JSON.parse converts 1e400 to Infinity, so such a token would never expire.
const isTimeOrAbsent = (value: unknown): value is number | undefined => value === undefined || Number.isFinite(value)

const isStringOrAbsent = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string'

function refuse(reason: keyof typeof tokenMessages): never {
  throw new InvalidTokenError(tokenMessages[reason])
}
