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

/** Returns whether a bidder has bids that no withdrawal has removed. */
export function hasBids(entries: readonly Entry[], bidderId: number): boolean {
  const isAbout = (entry: Entry) =>
    (entry.event.type === 'withdrawn' ? entry.event.bidderId : bidderIn(entry)) === bidderId
  const last = entries.findLast(isAbout)
  return last !== undefined && last.event.type !== 'withdrawn'
}

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
