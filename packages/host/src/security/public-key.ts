import type { KeyObject } from 'node:crypto'
import type { Result } from '../result.ts'

/** Signature algorithms of RFC 7518 and RFC 8037 that a public key verifies. */
const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const
export const publicKeyAlgorithms = [...rsaAlgorithms, 'ES256', 'ES384', 'ES512', 'EdDSA'] as const
export type PublicKeyAlgorithm = (typeof publicKeyAlgorithms)[number]

/** A public key, and the algorithms that a token for it may name. */
export type PublicKey = {
  /** SPKI, in PEM. */
  readonly pem: string
  readonly algorithms: readonly PublicKeyAlgorithm[]
}

const minRsaBits = 2048
const curves = new Map<string | undefined, PublicKeyAlgorithm>([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
])

/** Pairs a key with its algorithms, or returns why it is not accepted. */
export function publicKeyOf(key: KeyObject): Result<PublicKey, string> {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {}
  const type = key.asymmetricKeyType
  if (type === 'rsa' && modulusLength < minRsaBits) {
    const refusal = `must have at least ${minRsaBits} bits if it is an RSA key; this one has ${modulusLength}`
    return { ok: false, refusal }
  }
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  if (type === 'rsa') return { ok: true, value: { pem, algorithms: rsaAlgorithms } }
  if (type === 'ed25519') return { ok: true, value: { pem, algorithms: ['EdDSA'] } }
  const algorithm = type === 'ec' ? curves.get(namedCurve) : undefined
  if (algorithm !== undefined) return { ok: true, value: { pem, algorithms: [algorithm] } }
  return { ok: false, refusal: 'must be an RSA key, an EC key on P-256, P-384 or P-521, or an Ed25519 key' }
}
