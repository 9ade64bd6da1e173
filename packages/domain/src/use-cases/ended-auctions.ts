import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionId } from '../ids.ts'
import type { AuctionPage, AuctionPosition, Store } from '../store.ts'

/** A place among auctions in the order of their ends. */
export type EndPosition = Extract<AuctionPosition, { order: 'endTime' }>

/** Some of the auctions that have ended, the soonest end first. */
export type EndedPage = {
  readonly ended: readonly ListedAuction[]
  /** Behind the last that has ended. */
  readonly place: EndPosition | undefined
  /** The first that has not. */
  readonly following: ListedAuction | undefined
}

/** How many auctions the store is asked for at first, and at the most while all of them have ended: few, as they are read in one go. */
const auctionsPerPage = { first: 50, most: 250 }

/** What has ended behind a place, up to a time, page by page. The next page is read while the caller is busy with one. */
export async function* listEnded(
  store: Pick<Store, 'listAuctions'>,
  from: EndPosition | undefined,
  untilMs: number,
): AsyncGenerator<EndedPage> {
  let place = from
  let cursor = from
  let limit = auctionsPerPage.first
  let page: Promise<AuctionPage> | undefined = pageBehind(store, place, limit)
  while (page !== undefined) {
    const { auctions, next }: AuctionPage = await page
    const ended: readonly ListedAuction[] = auctions.filter(({ endTime }: ListedAuction) => endTime.epochMs <= untilMs)
    const following: ListedAuction | undefined = auctions[ended.length]
    const last = ended.at(-1)
    if (last !== undefined) place = placeOf(last)
    // What can't be read is in no page, so a page may be empty, and its end another than that of the last auction on it.
    if (next?.order === 'endTime') {
      cursor = next
      if (next.endMs <= untilMs) place = next
    }
    limit = Math.min(4 * limit, auctionsPerPage.most)
    page = following !== undefined || next === undefined ? undefined : pageBehind(store, cursor, limit)
    yield { ended, place, following }
  }
}

function pageBehind(
  store: Pick<Store, 'listAuctions'>,
  place: EndPosition | undefined,
  limit: number,
): Promise<AuctionPage> {
  const page = store.listAuctions({ order: 'endTime', limit, ...(place && { after: place }) })
  page.catch(() => undefined) // Whoever waits for it hears of its failure; nobody may come to that.
  return page
}

const placeOf = ({ id, endTime }: ListedAuction): EndPosition => ({ order: 'endTime', endMs: endTime.epochMs, id })

/** Behind all that end before a moment. */
export const placeBefore = (ms: number): EndPosition => ({
  order: 'endTime',
  endMs: ms - 1,
  id: Number.MAX_SAFE_INTEGER as AuctionId, // No auction's id, but none is higher.
})
