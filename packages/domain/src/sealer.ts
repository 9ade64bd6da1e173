import type { AuctionId, EntryId, UserId } from './values/ids.ts'
import type { AmountMinor } from './values/money.ts'
import { hasCode } from './values/validation.ts'

/** The entry of a sealed bid. */
export type SealingContext = { readonly auctionId: AuctionId; readonly entryId: EntryId }

/** The bid of a sealed amount. It cannot be opened as that of another one. */
type SealedContext = SealingContext & { readonly bidderId: UserId }

/** An amount that only the key with this fingerprint opens. */
type SealedAmount = { readonly key: string; readonly sealed: string }

/** Seals the amounts of bids that stay secret until the end, so that who reads the store does not read them. */
export type Sealer = {
  /** The fingerprint of the key that seals now. Undefined without a key: then no sealed auction can be created. */
  readonly fingerprint: string | undefined
  has(fingerprint: string): boolean
  /** @returns a text whose length does not depend on the amount */
  seal(amountMinor: AmountMinor, context: SealedContext): SealedAmount
  /** @throws SealedError if it was sealed for another bid, or is damaged; KeyMissingError without its key */
  open(sealed: SealedAmount, context: SealedContext): AmountMinor
  /** A random integer from 0 on that is below the given one, at least 1: for ids, so that they do not count bids. */
  draw(below: number): number
}

/** A sealed amount is not that of its bid, or is damaged. */
export class SealedError extends Error {
  override readonly name = 'SealedError'
  readonly code = 'sealed'
}

/** The key of a sealed amount is not among the keys of this process. */
export class KeyMissingError extends Error {
  override readonly name = 'KeyMissingError'
  readonly code = 'key-missing'
}

/** Bids of an auction cannot be sealed, because this process lacks its key. Nothing was changed. */
export class SealedBidsUnavailableError extends Error {
  override readonly name = 'SealedBidsUnavailableError'
  readonly code = 'sealed-bids-unavailable'
}

export const isSealedBidsUnavailable = (error: unknown): error is SealedBidsUnavailableError =>
  hasCode(error, 'sealed-bids-unavailable')

/** The sealer of a service without keys. */
export const noSealer: Sealer = {
  fingerprint: undefined,
  has: () => false,
  seal() {
    throw new KeyMissingError('this process has no key of sealed bids')
  },
  open({ key }) {
    throw new KeyMissingError(`this process has no key of sealed bids, and needs ${key}`)
  },
  draw: () => 0,
}

/** Whether this process lacks the key of a bid. */
export const isKeyMissing = (error: unknown): boolean => hasCode(error, 'key-missing')

/** Whether a bid could not be opened. */
export const isUnopened = (error: unknown): error is Error => hasCode(error, 'sealed') || isKeyMissing(error)
