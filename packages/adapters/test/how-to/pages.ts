import type { Auction } from '@auction/domain/auction/auction'
import { statusAt } from '@auction/domain/auction/status'
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

/** A page of auctions. It sorts them all, which is plain, and slow where there are many: a database has indexes for that. */
export function pageOf(auctions: readonly Auction[], query: AuctionQuery): AuctionPage {
  const { order, limit, after, status, ownerId, productId } = query
  // In the order of ends, those that have ended are not looked at for a list of others.
  const isPassedOver = ({ endTime }: Auction) =>
    order === 'endTime' && status !== undefined && status.is !== 'Ended' && endTime.epochMs <= status.nowMs
  const isMatch = (auction: Auction) =>
    (status === undefined || statusAt(auction, status.nowMs) === status.is) &&
    (ownerId === undefined || auction.ownerId === ownerId) &&
    (productId === undefined || auction.productId === productId)

  const rest = auctions
    .filter((auction) => !isPassedOver(auction))
    .map((auction) => ({ auction, place: placeOf(order, auction) }))
    .filter(({ place }) => after === undefined || comparePlaces(place, after) > 0)
    .toSorted((a, b) => comparePlaces(a.place, b.place))
  const scanned = rest.slice(0, maxScannedAuctions)
  const matching = scanned.filter(({ auction }) => isMatch(auction))
  const page = matching.slice(0, limit)
  // Where the limit cut the page, the next one goes on behind its last auction; else behind the last that was looked at.
  const last = page.length < matching.length ? page.at(-1) : scanned.length < rest.length ? scanned.at(-1) : undefined
  return { auctions: page.map(({ auction }) => auction), next: last?.place }
}
