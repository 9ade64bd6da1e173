import { createPublicKey } from 'node:crypto'

/**
 * A public key in the PEM that @fastify/jwt reads: it does not know RSA keys that are bound to RSASSA-PSS, and gets the same key
 * without its binding. The algorithms that the key stands for carry the binding on.
 * @param pem SPKI
 */
export async function libraryKey(pem: string): Promise<string> {
  const key = createPublicKey(pem)
  if (key.asymmetricKeyType !== 'rsa-pss') return pem
  // Such keys are rare, and nothing of it is loaded without one.
  const { BitString, fromBER, Sequence } = await import('asn1js')
  // An SPKI is an algorithm and a bit string, whose content is the key as in PKCS #1 (RFC 5280, section 4.1).
  const { result } = fromBER(key.export({ type: 'spki', format: 'der' }))
  const bits = result instanceof Sequence ? result.valueBlock.value[1] : undefined
  if (!(bits instanceof BitString)) throw new Error('Node has exported a key that is no SPKI')
  const plain = createPublicKey({ key: Buffer.from(bits.valueBlock.valueHexView), type: 'pkcs1', format: 'der' })
  return plain.export({ type: 'spki', format: 'pem' }).toString()
}
