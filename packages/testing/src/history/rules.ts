import type { Auction, CorrectableTerms, Leader, Terms } from '@auction/domain/auction'
import type { BidEntry, Entry } from '@auction/domain/store'
import type { SeenTexts } from '../history.ts'
import { type BidEffect, effectOfBid, incrementMinor } from './bidding-rules.ts'

const mostMinor = 999_999_999_999_999

/**
 * A second, simple implementation of the rules that shares no code with the service: a checker that shares the rules
 * shares their mistakes. `before` is the previous entry, if any.
 */
export const leaderOf = (before: Entry | undefined): Leader | null => before?.state.leader ?? null

export const priceMinor = (terms: Terms, before: Entry | undefined): number =>
  leaderOf(before)?.amountMinor ?? terms.startingPriceMinor

/** Undefined if the next bid would exceed the highest possible amount. */
export function leastMinor(terms: Terms, before: Entry | undefined): number | undefined {
  const leader = leaderOf(before)
  if (leader === null) return Math.max(terms.startingPriceMinor, 1)
  const least = leader.amountMinor + incrementMinor(terms, leader.amountMinor)
  return least > mostMinor ? undefined : least
}

/** Returns whether an amount is below the minimum next bid, and so no bid. */
export const isLow = (amountMinor: number, least: number | undefined): boolean =>
  least === undefined || amountMinor < least

/** The highest amount of the next bid; undefined without a limit. The increment may always be bid. */
export function highestMinor(terms: Terms, before: Entry | undefined): number | undefined {
  const { maximumBidIncrementMinor } = terms
  if (maximumBidIncrementMinor === undefined) return undefined
  const presentMinor = priceMinor(terms, before)
  return Math.min(presentMinor + Math.max(maximumBidIncrementMinor, incrementMinor(terms, presentMinor)), mostMinor)
}

/** Returns whether an amount is above the maximum next bid. */
export const isHigh = (amountMinor: number, highest: number | undefined): boolean =>
  highest !== undefined && amountMinor > highest

/** Returns the end after the extensions so far. */
export const endMs = (terms: Terms, before: Entry | undefined): number =>
  before?.state.extendedEndMs ?? terms.endTime.epochMs

/** The latest possible end, if bids move it. */
export const latestEndMs = ({ endTime, softClose }: Terms): number =>
  softClose === undefined ? endTime.epochMs : softClose.latestEndTime.epochMs

/** The effect of a bid or of a raised maximum, with the new end of the auction, if it changes. */
export function expectedBid(
  terms: Terms,
  { id, atMs, event }: BidEntry,
  before: Entry | undefined,
): BidEffect & { readonly movedMs: number | undefined } {
  const effect = effectOfBid(terms, id, event, leaderOf(before))
  const presentMs = endMs(terms, before)
  const { windowSeconds = 0, extensionSeconds = 0 } = terms.softClose ?? {}
  const isLate = terms.softClose !== undefined && presentMs - atMs <= windowSeconds * 1000
  const movedMs = Math.min(atMs + extensionSeconds * 1000, latestEndMs(terms))
  return { ...effect, movedMs: isLate && effect.bids > 0 && movedMs > presentMs ? movedMs : undefined }
}

/** Undefined without a reserve. */
export function isReserveMet({ reservePriceMinor }: Terms, before: Entry | undefined): boolean | undefined {
  if (reservePriceMinor === undefined) return undefined
  const leader = leaderOf(before)
  return leader !== null && leader.amountMinor >= reservePriceMinor
}

/** Returns whether the bids allow buy-now; undefined without a buy-now price. */
export function isOffered(terms: Terms, before: Entry | undefined): boolean | undefined {
  if (terms.buyNowPriceMinor === undefined) return undefined
  if (isEnd(before)) return false
  return leaderOf(before) === null || isReserveMet(terms, before) === false
}

/** Returns whether a bid is refused because the auction can be bought for no more. */
export const isAboveOffer = (terms: Terms, before: Entry | undefined, amountMinor: number): boolean =>
  isOffered(terms, before) === true && amountMinor >= (terms.buyNowPriceMinor ?? mostMinor)

/** Returns whether the bids allow a cancellation that is not forced. */
export const isCancellable = (terms: Terms, before: Entry | undefined): boolean =>
  terms.cancellableUntilEnd === true || leaderOf(before) === null

export const mostCorrections = 20

/** Texts and time of correction as readers see them after an entry. */
export const textsOf = (created: Pick<Auction, 'title' | 'metadata'>, head: Entry | undefined): SeenTexts => {
  const corrections = head?.state.corrections
  const title = corrections?.title === undefined ? created.title : (corrections.title ?? undefined)
  const metadata = corrections?.metadata === undefined ? created.metadata : (corrections.metadata ?? undefined)
  return { title, metadata, correctedAtMs: corrections?.atMs }
}

const neverCorrected = ['id', 'productId', 'ownerId', 'currency', 'createdAtMs', 'requestKey'] as const

/** The auction with the terms that it has after an entry. */
export function termsAfter<Given extends Auction>(created: Given, head: Entry | undefined): Given {
  const terms = head?.state.corrections?.terms
  if (terms === undefined) return created
  const kept = Object.entries(created).filter(([name]) => neverCorrected.some((each) => each === name))
  return { ...Object.fromEntries(kept), ...terms } as Given // All but the texts, which may be absent.
}

function hasFaultyIncrements(terms: CorrectableTerms): boolean {
  const { incrementSteps: steps = [], incrementBasisPoints, maximumBidIncrementMinor, startingPriceMinor } = terms
  const all = [{ fromPriceMinor: -1, incrementMinor: terms.minimumBidIncrementMinor }, ...steps]
  const isFalling = all.some((step, index) => {
    const before = all[index - 1]
    if (before === undefined) return false
    return step.fromPriceMinor <= before.fromPriceMinor || step.incrementMinor < before.incrementMinor
  })
  const atStartMinor = Math.ceil((startingPriceMinor * (incrementBasisPoints ?? 0)) / 10_000)
  const highestMinor = Math.max(all.at(-1)?.incrementMinor ?? 0, atStartMinor)
  return isFalling || (maximumBidIncrementMinor !== undefined && maximumBidIncrementMinor < highestMinor)
}

/** What is wrong with the terms after a correction, judged as those of a new auction; undefined if nothing is. */
export function problemOfTerms(terms: CorrectableTerms): string | undefined {
  const { startingPriceMinor: least, reservePriceMinor: reserve, buyNowPriceMinor: price, softClose } = terms
  const endsMs = terms.endTime.epochMs
  if (terms.minimumBidIncrementMinor <= 0) return 'an increment of nothing'
  if (hasFaultyIncrements(terms)) return 'increments that are not valid'
  if (reserve !== undefined && reserve < least) return 'a reserve below the starting price'
  if (price !== undefined && (price <= least || price <= (reserve ?? 0))) return 'a buy-now price that is too low'
  if (endsMs <= terms.startTime.epochMs) return 'an end before its start'
  const overtimeMs = softClose === undefined ? 1 : softClose.latestEndTime.epochMs - endsMs
  return overtimeMs < 1 || overtimeMs > 604_800_000 ? 'a latest end out of its range' : undefined
}

function expectedCorrections({ id, atMs, event }: Entry, before: Entry | undefined): object | undefined {
  const earlier = before?.state.corrections
  if (event.type !== 'corrected') return earlier
  const title = event.title === undefined ? earlier?.title : event.title
  const descriptionIn = event.description === undefined ? earlier?.descriptionIn : id
  const metadata = event.metadata === undefined ? earlier?.metadata : event.metadata.result
  const terms = event.terms === undefined ? earlier?.terms : event.terms.result
  return { count: (earlier?.count ?? 0) + 1, atMs, title, descriptionIn, metadata, terms }
}

/** Returns whether an entry only records the key of a repeated cancellation, the only entry that may follow an end. */
export const isRemembered = ({ event, requestKey }: Entry, before: Entry | undefined): boolean =>
  event.type === 'cancelled' && requestKey !== undefined && before?.event.type === 'cancelled'

/** Returns whether an entry ends the auction, or records a repeated cancellation after its end. */
export const isEnd = (entry: Entry | undefined): boolean =>
  entry !== undefined && ['bought', 'cancelled', 'closed'].includes(entry.event.type)

/** The result of an auction that ends by time. */
export function expectedResult(terms: Terms, before: Entry | undefined): object {
  const leader = leaderOf(before)
  if (leader === null) return { outcome: 'unsold', reason: 'no-bids' }
  if (isReserveMet(terms, before) === false) return { outcome: 'unsold', reason: 'reserve-not-met' }
  return { outcome: 'sold', bidId: leader.bidId, winnerId: leader.bidderId, priceMinor: leader.amountMinor }
}

/** The state after an entry. The ledger's state omits its undefined fields. */
export function expectedState(terms: Terms, entry: Entry, before: Entry | undefined): object {
  if (before !== undefined && isRemembered(entry, before)) return before.state
  const { atMs, event } = entry
  const { bidCount = 0, extendedEndMs } = before?.state ?? {}
  const corrections = expectedCorrections(entry, before)
  const ended = { phase: 'closed', bidCount, leader: leaderOf(before), atMs, extendedEndMs, corrections }
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { bids, leader, movedMs } = expectedBid(terms, { ...entry, event }, before)
      const end = { extendedEndMs: movedMs ?? extendedEndMs }
      return { phase: 'open', bidCount: bidCount + bids, leader, atMs, ...end, corrections }
    }
    case 'corrected':
      return { ...ended, phase: 'open' }
    case 'bought': {
      const { buyerId, priceMinor } = event
      return { ...ended, result: { outcome: 'bought', buyerId, priceMinor } }
    }
    case 'cancelled':
      return { ...ended, result: { outcome: 'cancelled', reason: event.reason } }
    case 'extended':
    case 'withdrawn':
    case 'ended-early':
    case 'reserve-lowered':
      return entry.state
    case 'closed':
      return { ...ended, result: event.result }
    default:
      return event satisfies never
  }
}
