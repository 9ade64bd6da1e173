import type { AuctionTerms } from './auction.ts'
import type { Bid } from './bid.ts'
import type { UserId } from './ids.ts'
import type { Moment } from './moment.ts'
import { type AmountMinor, addAmounts, type Currency, ONE_MINOR } from './money.ts'

/** What is decided about: who offers how much, in minor units of the auction's currency. */
export type Offer = { readonly bidderId: UserId; readonly amountMinor: AmountMinor }

/** Why an offer is not a bid, with what the caller needs to do better. */
export type BidRefusal =
  | { readonly code: 'auction-not-started'; readonly startTime: Moment }
  | { readonly code: 'auction-ended'; readonly endTime: Moment }
  | { readonly code: 'owner-cannot-bid' }
  | BidTooLow
export type BidTooLow = {
  readonly code: 'bid-too-low'
  readonly currentPriceMinor: AmountMinor
  /** Undefined when it would be more than any bid can offer. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly currency: Currency
}

/** What the rules need to know of an auction's last bid. */
export type Head = Pick<Bid, 'sequence' | 'amountMinor' | 'timestampMs'>

/** An acceptance is the head that the next offer meets, once it is stored. */
export type Acceptance = Head & { readonly outcome: 'accepted' }

export type Decision = Acceptance | { readonly outcome: 'refused'; readonly refusal: BidRefusal }

/** The highest bid, or the starting price as long as there is none. */
export const currentPriceMinor = (terms: AuctionTerms, head: Head | undefined): AmountMinor =>
  head === undefined ? terms.startingPriceMinor : head.amountMinor

/**
 * The least that the next bid must offer: no bid is free, so one minor unit where the starting price is 0. Undefined when no
 * higher bid is possible, because that would be more than an amount can be.
 */
export function minimumNextBidMinor(terms: AuctionTerms, head: Head | undefined): AmountMinor | undefined {
  if (head !== undefined) return addAmounts(head.amountMinor, terms.minimumBidIncrementMinor)
  return terms.startingPriceMinor > 0 ? terms.startingPriceMinor : ONE_MINOR
}

/**
 * The rules of bidding. `head` is the last bid of the auction's ledger, `nowMs` the clock of whoever decides. Clocks of
 * several processes differ: time in one ledger never goes back, so it is the later of the clock's and the head's.
 */
export function decide(terms: AuctionTerms, head: Head | undefined, offer: Offer, nowMs: number): Decision {
  const timestampMs = head === undefined ? nowMs : Math.max(nowMs, head.timestampMs)
  if (timestampMs < terms.startTime.epochMs) {
    return { outcome: 'refused', refusal: { code: 'auction-not-started', startTime: terms.startTime } }
  }
  if (timestampMs >= terms.endTime.epochMs) {
    return { outcome: 'refused', refusal: { code: 'auction-ended', endTime: terms.endTime } }
  }
  if (offer.bidderId === terms.ownerId) return { outcome: 'refused', refusal: { code: 'owner-cannot-bid' } }
  const least = minimumNextBidMinor(terms, head)
  if (least === undefined || offer.amountMinor < least) {
    return { outcome: 'refused', refusal: tooLow(terms, head) }
  }
  const sequence = head === undefined ? 1 : head.sequence + 1
  return { outcome: 'accepted', sequence, amountMinor: offer.amountMinor, timestampMs }
}

const tooLow = (terms: AuctionTerms, head: Head | undefined): BidTooLow => ({
  code: 'bid-too-low',
  currentPriceMinor: currentPriceMinor(terms, head),
  minimumNextBidMinor: minimumNextBidMinor(terms, head),
  currency: terms.currency,
})
