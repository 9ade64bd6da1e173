import { KeyObject } from 'node:crypto'
import jwt, { type FastifyJWTOptions, type TokenOrHeader } from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type CryptoKey, createRemoteJWKSet } from 'jose'
import { publicKeyOf, rsaAlgorithms } from '../configuration/public-key.ts'
import type { TokenKey, TokenRules } from '../configuration/read-configuration.ts'
import { credentialsOf } from './bearer-token.ts'

export type Claims = Readonly<Record<string, unknown>>

/**
 * Verifies a token: its signature by a pinned algorithm, exp and nbf, and issuer and audience where they are configured.
 * A static key verifies at once; a key set may have to be fetched first.
 * @throws InvalidTokenError for a token that is not valid; another error when the key set can't be had
 */
export type VerifyToken = (request: FastifyRequest, token: string) => Claims | Promise<Claims>

/** Its message is for people, and tells nothing of keys. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError'
}

/** Registers @fastify/jwt for the kind of key that is configured. */
export async function tokenVerifier(app: FastifyInstance, key: TokenKey, rules: TokenRules): Promise<VerifyToken> {
  await app.register(jwt, optionsFor(key, rules))
  if (key.kind === 'key-set') return (request) => explained(request.jwtVerify<Claims>())
  return (_request, token) => {
    try {
      return app.jwt.verify<Claims>(token)
    } catch (error) {
      throw invalidToken(error)
    }
  }
}

function optionsFor(key: TokenKey, rules: TokenRules): FastifyJWTOptions {
  switch (key.kind) {
    case 'secret':
      return { secret: key.secret, verify: verifyOptions(rules, ['HS256']) }
    case 'public-key':
      return { secret: { public: key.publicKey.pem }, verify: verifyOptions(rules, key.publicKey.algorithms) }
    case 'key-set':
      return {
        secret: { public: keyFromSet(key.url) },
        decode: { complete: true },
        verify: { ...verifyOptions(rules, keySetAlgorithms), extractToken },
      }
    default:
      return key satisfies never
  }
}

// The request is read in one way only, which is stricter than the library's.
function extractToken(request: FastifyRequest): string | undefined {
  const credentials = credentialsOf(request.raw)
  return credentials.kind === 'token' ? credentials.token : undefined
}

type VerifyOptions = NonNullable<FastifyJWTOptions['verify']>
type Algorithm = NonNullable<VerifyOptions['algorithms']>[number]

const keySetAlgorithms: readonly Algorithm[] = [...rsaAlgorithms, 'ES256', 'ES384', 'ES512', 'EdDSA']

function verifyOptions({ issuer, audience }: TokenRules, algorithms: readonly Algorithm[]): VerifyOptions {
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

/** The public key, in PEM, that a key set (RFC 7517) has for a token. The set is fetched when it is needed, and kept. */
function keyFromSet(url: URL): (request: FastifyRequest, token: TokenOrHeader) => Promise<string> {
  const chooseKey = createRemoteJWKSet(url)
  const pems = new WeakMap<CryptoKey, string>()
  return async (_request, token) => {
    const header = 'header' in token ? token.header : token
    const key = await chooseKey({ ...header, alg: algorithmOf(header) })
    const known = pems.get(key)
    if (known !== undefined) return known
    const reading = publicKeyOf(KeyObject.from(key))
    if (!reading.ok) throw new InvalidTokenError('The token names a key that is not strong enough.')
    pems.set(key, reading.value.pem)
    return reading.value.pem
  }
}

// The header is the client's, so it may hold anything. A key set has no keys for `none` and for shared secrets.
function algorithmOf(header: { readonly alg?: unknown }): Algorithm {
  const algorithm = keySetAlgorithms.find((known) => known === header.alg)
  if (algorithm === undefined) throw new InvalidTokenError(messages.signature)
  return algorithm
}

async function explained(verification: Promise<Claims>): Promise<Claims> {
  try {
    return await verification
  } catch (error) {
    throw invalidToken(error)
  }
}

const messages = {
  expired: 'The token has expired.',
  notYet: 'The token is not valid yet.',
  claims: 'The token is not of the expected issuer or for the expected audience.',
  signature: 'The token is not signed with a key and an algorithm that are accepted here.',
  malformed: 'The token is not a well-formed JSON Web Token.',
}

// Codes of the libraries that tell something of the token. Every other error is ours, or the key set's.
const reasons = new Map<unknown, string>([
  ['FAST_JWT_EXPIRED', messages.expired],
  ['FST_JWT_AUTHORIZATION_TOKEN_EXPIRED', messages.expired],
  ['FAST_JWT_INACTIVE', messages.notYet],
  ['FAST_JWT_INVALID_CLAIM_VALUE', messages.claims],
  ['FAST_JWT_MISSING_REQUIRED_CLAIM', messages.claims],
  ['FAST_JWT_INVALID_ALGORITHM', messages.signature],
  ['FAST_JWT_INVALID_SIGNATURE', messages.signature],
  ['FAST_JWT_MISSING_SIGNATURE', messages.signature],
  ['FAST_JWT_VERIFY_ERROR', messages.signature],
  ['FAST_JWT_INVALID_KEY', messages.signature],
  ['ERR_JWKS_NO_MATCHING_KEY', messages.signature],
  ['ERR_JWKS_MULTIPLE_MATCHING_KEYS', messages.signature],
  ['ERR_JOSE_NOT_SUPPORTED', messages.signature],
  ['FAST_JWT_MALFORMED', messages.malformed],
  ['FAST_JWT_INVALID_TYPE', messages.malformed],
  ['FAST_JWT_INVALID_PAYLOAD', messages.malformed],
  ['FAST_JWT_INVALID_CLAIM_TYPE', messages.malformed],
  ['FAST_JWT_INVALID_CRIT_HEADER', messages.malformed],
  // @fastify/jwt has one code for a malformed token, a wrong signature and a wrong claim.
  ['FST_JWT_AUTHORIZATION_TOKEN_INVALID', 'The token is malformed, not signed as it must be, or not meant for here.'],
])

function invalidToken(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const message = reasons.get(code)
  return message === undefined ? error : new InvalidTokenError(message)
}
