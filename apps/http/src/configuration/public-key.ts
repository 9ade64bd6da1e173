import { createPublicKey, type KeyObject } from 'node:crypto'
import { accepted, type Result, refused } from '@auction/domain/result'

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

const unreadable = '; its first line is right, but its contents cannot be read as a public key'
const unmarked = ', which begins with a line such as "-----BEGIN PUBLIC KEY-----"'

/** Reads SPKI, PKCS #1 or a certificate in PEM. Messages never repeat the input. */
export function parsePublicKey(text: string): Result<PublicKey, string> {
  // In environment variables, lines are often joined by a literal `\n`.
  const pem = text.replaceAll('\\n', '\n')
  // Node would accept a private key and derive the public one.
  if (pem.includes('PRIVATE KEY')) return refused('must be a public key; keep the private key with the issuer')
  try {
    return publicKeyOf(createPublicKey(pem))
  } catch {
    const isPem = /^\s*-----BEGIN (RSA PUBLIC KEY|PUBLIC KEY|CERTIFICATE)-----/.test(pem)
    return refused(`must be a public key or a certificate in PEM${isPem ? unreadable : unmarked}`)
  }
}

/** Pairs a key with its algorithms, or returns why it is not accepted. */
export function publicKeyOf(key: KeyObject): Result<PublicKey, string> {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {}
  const type = key.asymmetricKeyType
  if (type === 'rsa' && modulusLength < minRsaBits) {
    return refused(`must have at least ${minRsaBits} bits if it is an RSA key; this one has ${modulusLength}`)
  }
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  if (type === 'rsa') return accepted({ pem, algorithms: rsaAlgorithms })
  if (type === 'ed25519') return accepted({ pem, algorithms: ['EdDSA'] })
  const algorithm = type === 'ec' ? curves.get(namedCurve) : undefined
  if (algorithm !== undefined) return accepted({ pem, algorithms: [algorithm] })
  return refused('must be an RSA key, an EC key on P-256, P-384 or P-521, or an Ed25519 key')
}
