import { type Auction, wordsOf } from '@auction/domain/auction'
import type { AuctionQuery, Store } from '@auction/domain/store'
import { due, ended, idsOf, inBatches } from './helpers.ts'

/** An auction, and its place on the agenda, unless it has ended. */
export type Placed = { readonly auction: Auction; readonly dueMs: number | undefined }

/** Whether the list has the auction before filters: all for `newest`, those due for `agenda`, and those ended. */
export const isInList = ({ dueMs }: Placed, { order, dueByMs = Number.POSITIVE_INFINITY }: AuctionQuery): boolean =>
  order === 'newest' || (order === 'ended' ? dueMs === undefined : dueMs !== undefined && dueMs <= dueByMs)

export const hasWord = ({ auction }: Placed, word: string): boolean => wordsOf(auction.title ?? '').includes(word)

const isMatch = (placed: Placed, query: AuctionQuery): boolean =>
  isInList(placed, query) &&
  (query.words ?? []).every((word) => hasWord(placed, word)) &&
  (query.onlyOpen !== true || placed.dueMs !== undefined) &&
  (query.ownerId === undefined || placed.auction.ownerId === query.ownerId) &&
  (query.productId === undefined || placed.auction.productId === query.productId)

/** The ids that a query lists of a crowd. Times of creation rise with ids, and all have ended at the same time. */
export function expectedIds(crowd: readonly Placed[], query: AuctionQuery): readonly number[] {
  const matching = crowd
    .filter((member) => isMatch(member, query))
    .toSorted((a, b) =>
      query.order === 'agenda'
        ? (a.dueMs ?? 0) - (b.dueMs ?? 0) || a.auction.id - b.auction.id
        : b.auction.id - a.auction.id,
    )
  return idsOf(matching.map(({ auction }) => auction))
}

/** Stores a crowd. Returns the results of the inserts. */
export async function storeCrowd(store: Store, crowd: readonly Placed[]): Promise<readonly string[]> {
  const inserted: string[] = []
  // All ended at the same time, and some stores update those together.
  const endedMs = Math.max(...crowd.map(({ auction }) => auction.endTime.epochMs))
  // Auctions that end are inserted first, because updates of many auctions are slow in some stores.
  for (const hasEnded of [true, false]) {
    const members = crowd.filter(({ dueMs }) => (dueMs === undefined) === hasEnded)
    inserted.push(...(await inBatches(members, ({ auction }) => store.insertAuction(auction))))
    const changed = members.filter(({ auction, dueMs }) => dueMs !== auction.endTime.epochMs)
    const updates = changed.map(({ auction: { id }, dueMs }) =>
      dueMs === undefined ? ended(id, endedMs) : due(id, dueMs),
    )
    // A slow store has a time limit for each call.
    for (let from = 0; from < updates.length; from += 400) await store.updateAgenda(updates.slice(from, from + 400))
  }
  return inserted
}
