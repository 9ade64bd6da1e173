import type { ListedAuction } from '../auction/auction.ts'
import { type AuctionPage, type AuctionQuery, positionOf, type Store } from '../store.ts'
import type { KnownOvertime } from './close-due.ts'
import type { EndPosition } from './ended-auctions.ts'

/** How many auctions are looked at at once, behind the first page. */
const auctionsPerLook = 250
const maxLooks = 4

/**
 * Auctions past their `endTime` that may be open still. Most that may be are closed: where that is known, they are passed over.
 * @param isLate whether no more looks are to be begun
 */
export async function listOvertime(
  store: Pick<Store, 'listAuctions'>,
  { status: _, ...query }: AuctionQuery,
  nowMs: number,
  known: KnownOvertime,
  isLate: () => boolean,
): Promise<AuctionPage> {
  const found: ListedAuction[] = []
  let after = laterOf(query.after?.order === 'endTime' ? query.after : undefined, known.closedUpTo())
  for (let looks = 1; ; looks++) {
    const limit = looks === 1 ? query.limit : auctionsPerLook
    const page = await store.listAuctions({ ...query, limit, inOvertimeAtMs: nowMs, ...(after && { after }) })
    found.push(...page.auctions.filter(({ id }) => !known.isClosed(id)))
    const { next } = page
    if (found.length > query.limit) return firstOf(found, query.limit)
    const isDone = next?.order !== 'endTime' || found.length === query.limit || looks === maxLooks || isLate()
    if (isDone) return { auctions: found, next }
    after = next
  }
}

function firstOf(found: readonly ListedAuction[], limit: number): AuctionPage {
  const auctions = found.slice(0, limit)
  const last = auctions.at(-1)
  return { auctions, next: last && positionOf('endTime', last) }
}

function laterOf(a: EndPosition | undefined, b: EndPosition | undefined): EndPosition | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return (a.endMs - b.endMs || a.id - b.id) > 0 ? a : b
}
