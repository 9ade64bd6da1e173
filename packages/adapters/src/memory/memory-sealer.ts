import type { Sealer } from '@auction/domain'
import { KeyMissingError, SealedError } from '@auction/domain/errors'
import { toAmountMinor } from '@auction/domain/money'

type Context = Parameters<Sealer['open']>[1]

const amountDigits = 15

/**
 * A sealer for tests and trials, which hides nothing: anyone who has the text can read the amount. Like any sealer, it opens
 * an amount only for its bid.
 * @param key the name of its key; a second one opens amounts that were sealed before the key was replaced
 */
export function createMemorySealer(key = 'memory', earlier?: string): Sealer {
  const has = (name: string) => name === key || name === earlier
  const textOf = (amount: string, name: string, { auctionId, entryId, bidderId }: Context) =>
    `${amount}.${checksum([amount, name, auctionId, entryId, bidderId].join(' '))}`
  return {
    fingerprint: key,
    has,
    seal: (amountMinor, context) => ({
      key,
      sealed: textOf(String(amountMinor).padStart(amountDigits, '0'), key, context),
    }),
    open({ key: name, sealed }, context) {
      if (!has(name)) throw new KeyMissingError(`the key ${name} of sealed bids is not among the keys`)
      const amount = sealed.slice(0, amountDigits)
      if (sealed !== textOf(amount, name, context)) {
        const { auctionId, entryId } = context
        throw new SealedError(
          `the sealed bid in entry ${entryId} of auction ${auctionId} is not that of its bidder, or is damaged`,
        )
      }
      return toAmountMinor(Number(amount))
    },
    draw: () => 0,
  }
}

/** FNV-1a with 32 bits. */
function checksum(text: string): string {
  let hash = 0x81_1c_9d_c5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
