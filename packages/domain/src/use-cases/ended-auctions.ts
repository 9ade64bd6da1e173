import type { Auction } from '../auction/auction.ts'
import type { AuctionId } from '../ids.ts'
import type { AuctionPage, AuctionPosition, Store } from '../store.ts'

/** A place among auctions in the order of their ends. */
export type EndPosition = Extract<AuctionPosition, { order: 'endTime' }>

/** Some of the auctions that have ended, the soonest end first. */
export type EndedPage = {
  readonly ended: readonly Auction[]
  /** Behind the last that has ended. */
  readonly place: EndPosition | undefined
  /** The first that has not. */
  readonly following: Auction | undefined
}

/** How many auctions the store is asked for at first, and at the most while all of them have ended. */
const auctionsPerPage = { first: 50, most: 1_000 }

/** What has ended behind a place, up to a time, page by page. The next page is read while the caller is busy with one. */
export async function* listEnded(
  store: Pick<Store, 'listAuctions'>,
  from: EndPosition | undefined,
  untilMs: number,
): AsyncGenerator<EndedPage> {
  let place = from
  let limit = auctionsPerPage.first
  let page: Promise<AuctionPage> | undefined = pageBehind(store, place, limit)
  while (page !== undefined) {
    const { auctions, next }: AuctionPage = await page
    const ended: readonly Auction[] = auctions.filter(({ endTime }: Auction) => endTime.epochMs <= untilMs)
    const following: Auction | undefined = auctions[ended.length]
    const last = ended.at(-1)
    if (last !== undefined) place = placeOf(last)
    limit = Math.min(4 * limit, auctionsPerPage.most)
    page = following !== undefined || next === undefined ? undefined : pageBehind(store, place, limit)
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

const placeOf = ({ id, endTime }: Auction): EndPosition => ({ order: 'endTime', endMs: endTime.epochMs, id })

/** Behind all that end before a moment. */
export const placeBefore = (ms: number): EndPosition => ({
  order: 'endTime',
  endMs: ms - 1,
  id: Number.MAX_SAFE_INTEGER as AuctionId, // No auction's id, but none is higher.
})
