import { createPublicKey } from 'node:crypto'
import { type Result, refused } from '@auction/domain/result'
import { type PublicKey, publicKeyOf } from '@auction/host/public-key'

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
