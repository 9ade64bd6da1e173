import { createPublicKey } from 'node:crypto'
import { isPlainObject } from '@auction/domain/validation'
import { type PublicKey, type PublicKeyAlgorithm, publicKeyOf } from '../../configuration/public-key.ts'

/** A key of a set with which signatures may be verified. */
export type VerificationKey = PublicKey & { readonly id: string | undefined }

/**
 * The keys of a JWK set (RFC 7517, section 5) that may verify signatures here. Members of another use, another kind or too
 * little strength are left out; an empty set is a set.
 * @throws SyntaxError for text that is no JWK set
 */
export function parseKeySet(text: string): readonly VerificationKey[] {
  const parsed: unknown = JSON.parse(text)
  const members = isPlainObject(parsed) ? parsed['keys'] : undefined
  if (!Array.isArray(members)) throw new SyntaxError('a JWK set has an array "keys"')
  return members.map(verificationKeyOf).filter((key) => key !== undefined)
}

/** The keys that a token's header fits: one for a header that is right (RFC 7515, section 4.1). */
export function keysFor(
  keys: readonly VerificationKey[],
  { alg, kid }: Readonly<Record<string, unknown>>,
): readonly VerificationKey[] {
  const fits = ({ id, algorithms }: VerificationKey) =>
    (kid === undefined || kid === id) && algorithms.some((algorithm) => algorithm === alg)
  return keys.filter(fits)
}

function verificationKeyOf(jwk: unknown): VerificationKey | undefined {
  if (!isPlainObject(jwk) || !mayVerify(jwk)) return undefined
  const publicKey = readPublicKey(jwk)
  if (publicKey === undefined) return undefined
  const { kid, alg } = jwk
  const isBound = (algorithm: PublicKeyAlgorithm) => alg === undefined || alg === algorithm
  const algorithms = publicKey.algorithms.filter(isBound)
  return algorithms.length === 0
    ? undefined
    : { ...publicKey, algorithms, id: typeof kid === 'string' ? kid : undefined }
}

/** Whether a key is public, and not bound to another purpose (RFC 7517, sections 4.2 and 4.3). */
const mayVerify = ({ use, key_ops: operations, d }: Readonly<Record<string, unknown>>): boolean =>
  d === undefined &&
  (use === undefined || use === 'sig') &&
  (operations === undefined || (Array.isArray(operations) && operations.includes('verify')))

function readPublicKey(jwk: Readonly<Record<string, unknown>>): PublicKey | undefined {
  try {
    const reading = publicKeyOf(createPublicKey({ key: jwk, format: 'jwk' }))
    return reading.ok ? reading.value : undefined
  } catch {
    // A shared secret, or a kind of key that Node does not know.
    return undefined
  }
}
