import type { Auction } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import { isOwn } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'
import { requestIn, termsAfter } from './rules.ts'

/** The bidder whose bid, or higher maximum, an entry records. */
function bidderIn(entry: Entry): number | undefined {
  const request = requestIn(entry)
  return request?.type === 'place-bid' ? request.bid.bidderId : undefined
}

/** The bidder whose bids an entry withdraws. */
function withdrawnIn(entry: Entry): number | undefined {
  if (entry.event.type === 'withdrawn') return entry.event.bidderId
  const request = requestIn(entry)
  return request?.type === 'withdraw-own-bid' ? request.withdrawal.bidderId : undefined
}

/** Returns whether a bidder has bids that no withdrawal has removed. */
export function hasBids(entries: readonly Entry[], bidderId: number): boolean {
  const last = entries.findLast((entry) => bidderIn(entry) === bidderId || withdrawnIn(entry) === bidderId)
  return last !== undefined && bidderIn(last) === bidderId
}

/**
 * Returns whether staff may withdraw the bids of a bidder. A refusal would show who has secret bids, so those they may.
 */
export const mayHaveBids = (auction: Auction, entries: readonly Entry[], bidderId: number): boolean =>
  formatOf(auction).hidesOwn === true || hasBids(entries, bidderId)

/**
 * The standing after the entries of an auction: the requests in them are decided again in order, without those that a
 * later withdrawal has removed.
 */
export function standingWithout(created: Auction, entries: readonly Entry[]): object {
  const format = formatOf(created)
  const removedBefore = new Map<number, number>()
  for (const { event, sequence } of entries) {
    if (event.type === 'withdrawn') removedBefore.set(event.bidderId, sequence)
  }
  const isRemoved = (entry: Entry) => entry.sequence < (removedBefore.get(bidderIn(entry) ?? 0) ?? 0)
  let standing = format.none
  for (const [index, entry] of entries.entries()) {
    if (isOwn(entry) && !isRemoved(entry)) {
      standing = format.again(termsAfter(created, entries[index - 1]), standing, entry)
    }
  }
  return standing
}
