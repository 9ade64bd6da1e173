import { wordsOf } from '../auction/title-words.ts'
import type { AuctionPage, AuctionPosition, AuctionQuery, Store } from '../store/store.ts'

/**
 * Reads one page of the store. Titles that were stored before `wordsOf` removed the strokes of letters are indexed with them, so a search
 * with such letters reads the lists of both spellings and merges them.
 */
export async function listInStore(store: Pick<Store, 'listAuctions'>, query: AuctionQuery): Promise<AuctionPage> {
  const { words: earlier } = query
  if (earlier === undefined) return store.listAuctions(query)
  const words = wordsOf(earlier.join(' '))
  if (words.join(' ') === earlier.join(' ')) return store.listAuctions(query)
  const both = [words, earlier].map((spelling) => store.listAuctions({ ...query, words: spelling }))
  return merged(await Promise.all(both), query.limit)
}

/** Merges pages of lists with the newest first. After the first `next`, the page that has it may lack auctions. */
function merged(pages: readonly AuctionPage[], limit: number): AuctionPage {
  const ends = pages.flatMap(({ next }) => next ?? [])
  const end = ends.toSorted(newestFirst)[0]
  const byId = new Map(pages.flatMap(({ items }) => items).map((item) => [item.auction.id, item]))
  const complete = [...byId.values()]
    .filter(({ position }) => end === undefined || newestFirst(position, end) <= 0)
    .toSorted((a, b) => newestFirst(a.position, b.position))
  const items = complete.slice(0, limit)
  const unreadable = pages.flatMap((page) => page.unreadable ?? [])
  return { items, unreadable, next: items.length < complete.length ? items.at(-1)?.position : end }
}

const newestFirst = (a: AuctionPosition, b: AuctionPosition): number => b.timeMs - a.timeMs || b.id - a.id
