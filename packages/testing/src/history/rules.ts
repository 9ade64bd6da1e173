import type { Auction, CorrectableTerms, Leader, Terms } from '@auction/domain/auction'
import { momentAt } from '@auction/domain/moment'
import type { BidEntry, Entry } from '@auction/domain/store'
import type { SeenTexts, Violation } from '../history.ts'
import { type BidEffect, effectOfBid, incrementMinor } from './bidding-rules.ts'

const mostMinor = 999_999_999_999_999

/** A problem of an entry, and the invariant that it violates; false without a problem. */
export type Finding = readonly [invariant: Violation['invariant'], finding: string] | false

/**
 * A second, simple implementation of the rules that shares no code with the service: a checker that shares the rules
 * shares their mistakes. `before` is the previous entry, if any.
 */
export const leaderOf = (before: Entry | undefined): Leader | null => before?.state.leader ?? null

export const priceMinor = (terms: Terms, before: Entry | undefined): number =>
  leaderOf(before)?.amountMinor ?? terms.startingPriceMinor

export const leastMinor = (terms: Terms, before: Entry | undefined): number | undefined =>
  leastAbove(terms, leaderOf(before))

/** Undefined if the next bid would exceed the highest possible amount. */
export function leastAbove(terms: Terms, leader: Leader | null): number | undefined {
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

/** Returns the end after the entries so far. */
export const endMs = (terms: Terms, before: Entry | undefined): number =>
  before?.state.extendedEndMs ?? terms.endTime.epochMs

/** The latest possible end, if bids move it. */
const latestEndMs = ({ endTime, softClose }: Terms): number =>
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
  // Bids do not move an end that staff have brought forward.
  const isMovable = terms.softClose !== undefined && before?.state.repairs?.isEndedEarly !== true
  const isLate = isMovable && presentMs - atMs <= windowSeconds * 1000
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

/** Returns whether an auction has bids, or had some before a withdrawal: then its terms are fixed. */
export const hasHadBids = (before: Entry | undefined): boolean =>
  leaderOf(before) !== null ||
  before?.state.repairs?.withdrawn?.some(({ throughSequence }) => throughSequence > 0) === true

/** Returns whether the bids allow a cancellation that is not forced. */
export const isCancellable = (terms: Terms, before: Entry | undefined): boolean =>
  terms.cancellableUntilEnd === true || !hasHadBids(before)

/** How many corrections an auction may have before another one by its owner, or by staff. */
export const mostCorrections = { owner: 20, staff: 40 }

/** Texts and time of correction as readers see them after an entry. */
export const textsOf = (created: Pick<Auction, 'title' | 'metadata'>, head: Entry | undefined): SeenTexts => {
  const corrections = head?.state.corrections
  const title = corrections?.title === undefined ? created.title : (corrections.title ?? undefined)
  const metadata = corrections?.metadata === undefined ? created.metadata : (corrections.metadata ?? undefined)
  return { title, metadata, correctedAtMs: corrections?.atMs }
}

const neverCorrected = ['id', 'productId', 'ownerId', 'currency', 'createdAtMs', 'requestKey'] as const

/** The auction with the terms that it has after an entry. */
export const termsAfter = <Given extends Auction>(created: Given, head: Entry | undefined): Given =>
  repaired(correctedBy(created, head), head)

function correctedBy<Given extends Auction>(created: Given, head: Entry | undefined): Given {
  const terms = head?.state.corrections?.terms
  if (terms === undefined) return created
  const kept = Object.entries(created).filter(([name]) => neverCorrected.some((each) => each === name))
  return { ...Object.fromEntries(kept), ...terms } as Given // All but the texts, which may be absent.
}

/** The auction with a lowered reserve and a moved latest end. */
function repaired<Given extends Auction>(auction: Given, head: Entry | undefined): Given {
  const { latestEndShiftMs = 0, reservePriceMinor: loweredMinor } = head?.state.repairs ?? {}
  const { reservePriceMinor, softClose, ...others } = auction
  const reserve = loweredMinor === undefined ? reservePriceMinor : loweredMinor > 0 ? loweredMinor : undefined
  const latestEndTime = softClose && momentAt(softClose.latestEndTime.epochMs + latestEndShiftMs)
  return {
    ...others,
    ...(reserve !== undefined && { reservePriceMinor: reserve }),
    ...(softClose && { softClose: latestEndShiftMs === 0 ? softClose : { ...softClose, latestEndTime } }),
  } as Given // The same fields.
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

/** Returns whether an entry only records the key of a repeated cancellation, the only entry that may follow an end. */
export const isRemembered = ({ event, requestKey }: Entry, before: Entry | undefined): boolean =>
  event.type === 'cancelled' && requestKey !== undefined && before?.event.type === 'cancelled'

/** Returns whether an entry ends the auction, or records a repeated cancellation after its end. */
export const isEnd = (entry: Entry | undefined): boolean =>
  entry !== undefined && ['bought', 'cancelled', 'closed'].includes(entry.event.type)
