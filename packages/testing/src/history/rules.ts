import type { Auction, CorrectableTerms } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import { type Format, isOwn, type RecordedRequest } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'

// The rules of every auction that ask its format. `before` is the previous entry, if any.

/** The request of an own event of the entry's format; undefined for other events. */
export const requestIn = (entry: Entry): RecordedRequest | undefined =>
  isOwn(entry) ? formatOf(entry.state).requestIn(entry) : undefined

/** Whether an auction says who may bid, what it comes from, or its sale: then it has the second stored version. */
export const hasAdmittingTerms = ({ registerId, relistOf, offerOf, saleId }: Auction): boolean =>
  [registerId, relistOf, offerOf, saleId].some((id) => id !== undefined)

/** What stands after an entry. */
export function standingAfter(format: Format, head: Entry | undefined): object {
  return head === undefined ? format.none : format.standingIn(head.state)
}

/** Returns whether an auction has bids, or had some before a withdrawal: then its terms are fixed. */
export const hasHadBids = (before: Entry | undefined): boolean =>
  before !== undefined &&
  (formatOf(before.state).hasOffers(standingAfter(formatOf(before.state), before)) ||
    before.state.repairs?.withdrawn?.some(({ throughSequence }) => throughSequence > 0) === true)

/** Returns whether bidders must already know what they bid for, so that the owner may not change it. */
export const isSettled = (auction: Auction, before: Entry | undefined, atMs: number): boolean =>
  formatOf(auction).isFixedFromStart === true ? atMs >= auction.startTime.epochMs : hasHadBids(before)

/** Returns whether a cancellation that is not forced is allowed. */
export const isCancellable = (auction: Auction, before: Entry | undefined, atMs: number): boolean =>
  auction.cancellableUntilEnd === true || !isSettled(auction, before, atMs)

/** What no correction changes: what is no term. */
const notTerms = [
  ...['id', 'productId', 'ownerId', 'currency', 'createdAtMs', 'requestKey', 'format'],
  ...['registerId', 'registerAdmits', 'showPaddles', 'relistOf', 'offerOf', 'offeredTo'],
  ...['saleId', 'lot', 'saleSequence'],
]
const texts = ['title', 'description', 'metadata']

const isFixed = ({ fixed }: Format, name: string): boolean => notTerms.includes(name) || fixed?.includes(name) === true

/** Whether a correction may change a member of an auction other than its texts. */
export const isTerm = (format: Format, name: string): boolean => !isFixed(format, name) && !texts.includes(name)

/** The auction with the terms that it has after an entry. */
export function termsAfter<Given extends Auction>(created: Given, head: Entry | undefined): Given {
  if (head === undefined) return created
  const { corrections, repairs } = head.state
  const auction = corrections?.terms === undefined ? created : correctedBy(created, corrections.terms)
  const format = formatOf(created)
  if (repairs === undefined || format.withRepairs === undefined) return auction
  return format.withRepairs(auction, head) as Given // The same fields.
}

export function correctedBy<Given extends Auction>(created: Given, terms: CorrectableTerms): Given {
  const kept = Object.entries(created).filter(([name]) => isFixed(formatOf(created), name))
  return { ...Object.fromEntries(kept), ...terms } as Given // All but the texts, which may be absent.
}

/** What is wrong with the terms after a correction, judged as those of a new auction; undefined if nothing is. */
export const problemOfTerms = (corrected: Auction): string | undefined =>
  corrected.endTime.epochMs <= corrected.startTime.epochMs
    ? 'an end before its start'
    : formatOf(corrected).problemOf(corrected)
