import type { Auction } from '@auction/domain/auction/auction'
import { maxOvertimeMs } from '@auction/domain/auction/ends'
import { mayBeInOvertime, mayHaveStatus } from '@auction/domain/auction/status'
import { type AuctionPage, type AuctionPosition, type AuctionQuery, maxScannedAuctions } from '@auction/domain/store'

const placeOf = (order: AuctionPosition['order'], { id, createdAtMs, endTime }: Auction): AuctionPosition =>
  order === 'newest' ? { order, createdAtMs, id } : { order, endMs: endTime.epochMs, id }

/** A place as two numbers, of which the lower comes first. */
const numbersOf = (place: AuctionPosition): readonly [timeMs: number, id: number] =>
  place.order === 'newest' ? [-place.createdAtMs, -place.id] : [place.endMs, place.id]

function comparePlaces(a: AuctionPosition, b: AuctionPosition): number {
  const [timeA, idA] = numbersOf(a)
  const [timeB, idB] = numbersOf(b)
  return timeA - timeB || idA - idB
}

/**
 * Whether a list passes an auction over without looking at it. In the order of ends, those past their end are not looked at for
 * a list of active ones; for one of those in overtime, only they are, and only with a soft close and for a week.
 */
function isPassedOver({ endTime: { epochMs: endMs }, softClose }: Auction, query: AuctionQuery): boolean {
  const { order, status, inOvertimeAtMs } = query
  if (inOvertimeAtMs === undefined) return order === 'endTime' && status !== undefined && endMs <= status.nowMs
  return softClose === undefined || endMs > inOvertimeAtMs || endMs <= inOvertimeAtMs - maxOvertimeMs
}

/** Whether an auction is listed, as far as it tells: its ledger may tell otherwise, and is not asked here. */
const isMatch = (auction: Auction, { status, inOvertimeAtMs, ownerId, productId }: AuctionQuery): boolean =>
  (status === undefined || mayHaveStatus(auction, status.is, status.nowMs)) &&
  (inOvertimeAtMs === undefined || mayBeInOvertime(auction, inOvertimeAtMs)) &&
  (ownerId === undefined || auction.ownerId === ownerId) &&
  (productId === undefined || auction.productId === productId)

/** A page of auctions. It sorts them all, which is plain, and slow where there are many: a database has indexes for that. */
export function pageOf(auctions: readonly Auction[], query: AuctionQuery): AuctionPage {
  const { order, limit, after } = query
  const rest = auctions
    .filter((auction) => !isPassedOver(auction, query))
    .map((auction) => ({ auction, place: placeOf(order, auction) }))
    .filter(({ place }) => after === undefined || comparePlaces(place, after) > 0)
    .toSorted((a, b) => comparePlaces(a.place, b.place))
  const scanned = rest.slice(0, maxScannedAuctions)
  const matching = scanned.filter(({ auction }) => isMatch(auction, query))
  const page = matching.slice(0, limit)
  // Where the limit cut the page, the next one goes on behind its last auction; else behind the last that was looked at.
  const last = page.length < matching.length ? page.at(-1) : scanned.length < rest.length ? scanned.at(-1) : undefined
  return { auctions: page.map(({ auction: { description: _, ...listed } }) => listed), next: last?.place }
}
