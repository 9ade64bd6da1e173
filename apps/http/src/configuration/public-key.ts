import { createPublicKey, type KeyObject } from 'node:crypto'

/** Signature algorithms of RFC 7518 and RFC 8037 that a public key verifies. */
const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const
export const publicKeyAlgorithms = [...rsaAlgorithms, 'ES256', 'ES384', 'ES512', 'EdDSA'] as const
export type PublicKeyAlgorithm = (typeof publicKeyAlgorithms)[number]

/** A public key with the algorithms that it stands for: a token that names another one is refused. */
export type PublicKey = {
  /** SPKI, in PEM. */
  readonly pem: string
  readonly algorithms: readonly PublicKeyAlgorithm[]
}

export type PublicKeyReading =
  | { readonly ok: true; readonly value: PublicKey }
  | { readonly ok: false; readonly fault: string }

const leastRsaBits = 2048
const curves = new Map<string | undefined, PublicKeyAlgorithm>([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
])
const hashes = new Map<string | undefined, PublicKeyAlgorithm>([
  ['sha256', 'PS256'],
  ['sha384', 'PS384'],
  ['sha512', 'PS512'],
])

/** Reads SPKI, PKCS #1 or a certificate in PEM. Faults never repeat the text. */
export function parsePublicKey(text: string): PublicKeyReading {
  // An environment variable often holds its lines joined by a literal `\n`.
  const pem = text.replaceAll('\\n', '\n')
  // Node would derive the public key from a private one, which has no business here.
  if (pem.includes('PRIVATE KEY')) return fault('must be a public key; a private key stays with whoever signs tokens')
  try {
    return publicKeyOf(createPublicKey(pem))
  } catch {
    return fault(
      'must be a public key or a certificate in PEM, beginning with "-----BEGIN PUBLIC KEY-----" or the like',
    )
  }
}

/** What a key verifies, or why it is not accepted. */
export function publicKeyOf(key: KeyObject): PublicKeyReading {
  const { modulusLength = 0, namedCurve, hashAlgorithm } = key.asymmetricKeyDetails ?? {}
  const type = key.asymmetricKeyType
  if ((type === 'rsa' || type === 'rsa-pss') && modulusLength < leastRsaBits) {
    return fault(`must have ${leastRsaBits} bits at least, as an RSA key; it has ${modulusLength}`)
  }
  if (type === 'rsa') return accepted(key, rsaAlgorithms)
  if (type === 'rsa-pss') return accepted(key, pssAlgorithms(hashAlgorithm))
  if (type === 'ed25519') return accepted(key, ['EdDSA'])
  const algorithm = type === 'ec' ? curves.get(namedCurve) : undefined
  if (algorithm !== undefined) return accepted(key, [algorithm])
  return fault('must be an RSA key, an EC key on P-256, P-384 or P-521, or an Ed25519 key')
}

const fault = (message: string) => ({ ok: false, fault: message }) as const

const accepted = (key: KeyObject, algorithms: readonly PublicKeyAlgorithm[]): PublicKeyReading => ({
  ok: true,
  value: { pem: key.export({ type: 'spki', format: 'pem' }).toString(), algorithms },
})

// A key that is bound to RSASSA-PSS may also be bound to one hash.
function pssAlgorithms(hash: string | undefined): readonly PublicKeyAlgorithm[] {
  const bound = hashes.get(hash)
  return bound === undefined ? [...hashes.values()] : [bound]
}
