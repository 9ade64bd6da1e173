import jwt, { type FastifyJWTOptions } from '@fastify/jwt'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { TokenKey, TokenRules } from '../../configuration/configuration.ts'
import { type PublicKeyAlgorithm, publicKeyAlgorithms } from '../../configuration/public-key.ts'
import { preCheck, type UnverifiedToken } from './pre-check.ts'
import { InvalidTokenError, tokenMessages } from './token-errors.ts'

export type Claims = Readonly<Record<string, unknown>>

/** The claims of a valid token, and the time until which its verification counts. Its `exp` may be earlier. */
export type Verified = { readonly claims: Claims; readonly untilMs: number }

/**
 * Verifies a token: its signature by an accepted algorithm, `exp` and `nbf`, and issuer and audience if they are configured.
 * The result is a promise only with a key set.
 * @throws InvalidTokenError; IssuerUnavailableError if the key set is not available
 */
export type VerifyToken = (token: string) => Verified | Promise<Verified>

/** Registers @fastify/jwt for the configured key. */
export async function createTokenVerifier(
  app: FastifyInstance,
  key: TokenKey,
  rules: TokenRules,
  logger: Logger,
): Promise<VerifyToken> {
  const { secret, algorithms } = optionsOf(key)
  await app.register(jwt, { secret, decode: { complete: true }, verify: verifyOptions(rules, algorithms) })

  function preChecked(token: string): UnverifiedToken {
    const unverified = callLibrary(() => app.jwt.decode<UnverifiedToken>(token))
    if (unverified === null) throw new InvalidTokenError(tokenMessages.malformed)
    preCheck(unverified, { algorithms, subjectClaim: rules.subjectClaim })
    return unverified
  }

  if (key.kind === 'key-set') {
    const { openKeySet } = await import('./key-set.ts')
    const findKey = openKeySet(key, logger)
    return async (token) => {
      const { pem, algorithms, untilMs } = await findKey(preChecked(token).header)
      const claims = callLibrary(() => app.jwt.verify<Claims>(token, { key: pem, algorithms: [...algorithms] }))
      return { claims, untilMs }
    }
  }
  return (token) => {
    preChecked(token)
    return { claims: callLibrary(() => app.jwt.verify<Claims>(token)), untilMs: Number.POSITIVE_INFINITY }
  }
}

type Algorithm = PublicKeyAlgorithm | 'HS256'
type KeyOptions = { readonly secret: FastifyJWTOptions['secret']; readonly algorithms: readonly Algorithm[] }

function optionsOf(key: TokenKey): KeyOptions {
  switch (key.kind) {
    case 'secret':
      return { secret: key.secret, algorithms: ['HS256'] }
    case 'public-key':
      return { secret: { public: key.publicKey.pem }, algorithms: key.publicKey.algorithms }
    case 'key-set': {
      // Each verification passes its own key.
      const noKey = () => Promise.reject(new Error('A token was verified without a key.'))
      return { secret: { public: noKey }, algorithms: publicKeyAlgorithms }
    }
    default:
      return key satisfies never
  }
}

function verifyOptions(
  { issuer, audience }: TokenRules,
  algorithms: readonly Algorithm[],
): NonNullable<FastifyJWTOptions['verify']> {
  return {
    algorithms: [...algorithms],
    ...(issuer !== undefined && { allowedIss: issuer }),
    ...(audience !== undefined && { allowedAud: audience }),
    // The library accepts a token without the claim unless the claim is required.
    requiredClaims: [...(issuer === undefined ? [] : ['iss']), ...(audience === undefined ? [] : ['aud'])],
    // callers.ts caches verified tokens.
    cache: false,
  }
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
