import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import type { Sealer } from '@auction/domain'
import { KeyMissingError, SealedError } from '@auction/domain/errors'
import { toAmountMinor } from '@auction/domain/money'

const algorithm = 'aes-256-gcm'
const [keyBytes, nonceBytes, amountBytes, tagBytes, fingerprintBytes] = [32, 12, 8, 16, 9]

type Context = Parameters<Sealer['open']>[1]

const derived = (key: Uint8Array, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `auction service: ${purpose}`, bytes))

/** What is authenticated with an amount: it opens for this bid only. */
const bidOf = ({ auctionId, entryId, bidderId }: Context, fingerprint: string): Buffer =>
  Buffer.from(`${fingerprint} ${auctionId} ${entryId} ${bidderId}`)

/**
 * Seals amounts with AES-256-GCM (NIST SP 800-38D) and a key per auction, which HKDF (RFC 5869) derives. A sealed amount
 * has 48 characters, whatever the amount. While a key is replaced, all servers have both: first the new one as the
 * second, then the other way round. A key is needed until all auctions whose bids it has sealed are closed, and longer if
 * their bids are still read.
 * @param keys of 32 random bytes each; the first one seals, and all open
 * @throws TypeError for no key, one of another length, or two equal ones
 */
export function createSealer(keys: readonly Uint8Array[]): Sealer {
  const byFingerprint = new Map(keys.map((key) => [fingerprintOf(key), key]))
  const [first] = byFingerprint
  if (first === undefined) throw new TypeError('a sealer needs a key')
  if (byFingerprint.size < keys.length) throw new TypeError('two keys of a sealer are equal')
  const [fingerprint] = first

  function auctionKey(name: string, { auctionId }: Context): Buffer {
    const key = byFingerprint.get(name)
    if (key === undefined) throw new KeyMissingError(`the key ${name} of sealed bids is not among the keys`)
    return derived(key, `sealed bids of auction ${auctionId}`, keyBytes)
  }

  return {
    fingerprint,
    has: (name) => byFingerprint.has(name),
    seal(amountMinor, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, auctionKey(fingerprint, context), nonce)
      cipher.setAAD(bidOf(context, fingerprint))
      const amount = Buffer.alloc(amountBytes)
      amount.writeBigUInt64BE(BigInt(amountMinor))
      const sealed = Buffer.concat([nonce, cipher.update(amount), cipher.final(), cipher.getAuthTag()])
      return { key: fingerprint, sealed: sealed.toString('base64url') }
    },
    open({ key: name, sealed }, context) {
      const key = auctionKey(name, context)
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        // Buffers skip what is not base64url.
        if (bytes.toString('base64url') !== sealed) throw new RangeError('it has other characters')
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        decipher.setAAD(bidOf(context, name)).setAuthTag(bytes.subarray(-tagBytes))
        const amount = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
        return toAmountMinor(Number(amount.readBigUInt64BE()))
      } catch {
        const { auctionId, entryId } = context
        throw new SealedError(
          `the sealed bid in entry ${entryId} of auction ${auctionId} is not that of its bidder, or is damaged`,
        )
      }
    },
    draw: (below) => randomInt(below),
  }
}

/** A name of a key, from which the key cannot be found. @throws TypeError unless the key has 32 bytes */
function fingerprintOf(key: Uint8Array): string {
  if (key.length !== keyBytes) throw new TypeError(`a key of a sealer has ${key.length} bytes instead of ${keyBytes}`)
  return derived(key, 'fingerprint of a key', fingerprintBytes).toString('base64url')
}
