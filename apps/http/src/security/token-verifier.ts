import jwt, { type FastifyJWTOptions } from '@fastify/jwt'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { TokenKey, TokenRules } from '../configuration/configuration.ts'
import { type PublicKeyAlgorithm, publicKeyAlgorithms } from '../configuration/public-key.ts'
import { InvalidTokenError, tokenFaults } from './invalid-token.ts'
import { refuseOnSight, type UnverifiedToken } from './refuse-on-sight.ts'

export type Claims = Readonly<Record<string, unknown>>

/** What a token says, and until when that may be taken as verified. It may expire earlier by its own `exp`. */
export type Verified = { readonly claims: Claims; readonly untilMs: number }

/**
 * Verifies a token: its signature by a pinned algorithm, exp and nbf, and issuer and audience where they are configured.
 * A static key verifies at once; a key set may have to be waited for.
 * @throws InvalidTokenError for a token that is not valid; IssuerUnavailableError when the key set can't be had
 */
export type VerifyToken = (token: string) => Verified | Promise<Verified>

/** Registers @fastify/jwt for the kind of key that is configured. */
export async function createTokenVerifier(
  app: FastifyInstance,
  key: TokenKey,
  rules: TokenRules,
  logger: Logger,
): Promise<VerifyToken> {
  const algorithms = algorithmsOf(key)
  await app.register(jwt, {
    secret: await secretOf(key),
    decode: { complete: true },
    verify: verifyOptions(rules, algorithms),
  })

  function readUnverified(token: string): UnverifiedToken {
    const unverified = explained(() => app.jwt.decode<UnverifiedToken>(token))
    if (unverified === null) throw new InvalidTokenError(tokenFaults.malformed)
    refuseOnSight(unverified, { algorithms, subjectClaim: rules.subjectClaim })
    return unverified
  }

  if (key.kind === 'key-set') {
    const { openKeySet } = await import('./key-set/key-set.ts')
    const keySet = openKeySet(key, logger)
    app.addHook('onReady', async () => keySet.start())
    // Before connections are drained: whoever waits for keys has an answer then.
    app.addHook('preClose', async () => keySet.close())
    return async (token) => {
      const { header } = readUnverified(token)
      const { pem, algorithms, untilMs } = await keySet.keyFor(header)
      const claims = explained(() => app.jwt.verify<Claims>(token, { key: pem, algorithms: [...algorithms] }))
      return { claims, untilMs }
    }
  }
  return (token) => {
    readUnverified(token)
    return { claims: explained(() => app.jwt.verify<Claims>(token)), untilMs: Number.POSITIVE_INFINITY }
  }
}

type Algorithm = PublicKeyAlgorithm | 'HS256'

function algorithmsOf(key: TokenKey): readonly Algorithm[] {
  switch (key.kind) {
    case 'secret':
      return ['HS256']
    case 'public-key':
      return key.publicKey.algorithms
    case 'key-set':
      return publicKeyAlgorithms
    default:
      return key satisfies never
  }
}

async function secretOf(key: TokenKey): Promise<FastifyJWTOptions['secret']> {
  switch (key.kind) {
    case 'secret':
      return key.secret
    case 'public-key': {
      const { libraryKey } = await import('./library-key.ts')
      return { public: await libraryKey(key.publicKey.pem) }
    }
    case 'key-set':
      // Each token is verified with a key of the set that is given with it; nothing is verified without.
      return { public: () => Promise.reject(new Error('a token was to be verified without its key')) }
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
    // The library compares a claim only where the token has it, so what is expected is required as well.
    requiredClaims: [...(issuer === undefined ? [] : ['iss']), ...(audience === undefined ? [] : ['aud'])],
    // Caching is done above this, by the token itself (callers.ts).
    cache: false,
  }
}

// Codes of the library that tell something of the token. Every other error is ours.
const reasons = new Map<unknown, string>([
  ['FAST_JWT_EXPIRED', tokenFaults.expired],
  ['FAST_JWT_INACTIVE', tokenFaults.notYet],
  ['FAST_JWT_INVALID_CLAIM_VALUE', tokenFaults.claims],
  ['FAST_JWT_MISSING_REQUIRED_CLAIM', tokenFaults.claims],
  ['FAST_JWT_INVALID_ALGORITHM', tokenFaults.signature],
  ['FAST_JWT_INVALID_SIGNATURE', tokenFaults.signature],
  ['FAST_JWT_MISSING_SIGNATURE', tokenFaults.signature],
  ['FAST_JWT_VERIFY_ERROR', tokenFaults.signature],
  ['FAST_JWT_MALFORMED', tokenFaults.malformed],
  // What @fastify/jwt makes of the one above when it decodes.
  ['FST_JWT_AUTHORIZATION_TOKEN_INVALID', tokenFaults.malformed],
  ['FAST_JWT_INVALID_TYPE', tokenFaults.malformed],
  ['FAST_JWT_INVALID_PAYLOAD', tokenFaults.malformed],
  ['FAST_JWT_INVALID_CLAIM_TYPE', tokenFaults.malformed],
  ['FAST_JWT_INVALID_CRIT_HEADER', tokenFaults.malformed],
])

/** Runs a step of the library; what it says of the token becomes an InvalidTokenError. */
function explained<Value>(step: () => Value): Value {
  try {
    return step()
  } catch (error) {
    const message = reasons.get(error instanceof Error && 'code' in error ? error.code : undefined)
    throw message === undefined ? error : new InvalidTokenError(message)
  }
}
