import { type Auction, wordsOf } from '@auction/domain/auction'
import {
  type AuctionQuery,
  type EndStage,
  firstStage,
  listKeys,
  type Stage,
  type Store,
  stagesOf,
} from '@auction/domain/store'
import { due, ended, idsOf, inBatches } from './helpers.ts'

/** An auction, and its time on the agenda, unless it has ended, with its outcome. */
export type Placed = { readonly auction: Auction; readonly dueMs: number | undefined; readonly outcome?: EndStage }

const stageOf = ({ auction, dueMs, outcome = 'sold' }: Placed): Stage =>
  dueMs === undefined ? outcome : dueMs <= auction.startTime.epochMs ? 'pending' : 'open'

/** Whether the list has the auction before other filters: in the order, due and in one of the stages of the query. */
export const isInList = (placed: Placed, query: AuctionQuery): boolean =>
  stagesOf(query).includes(stageOf(placed)) && (placed.dueMs ?? 0) <= (query.dueByMs ?? Number.POSITIVE_INFINITY)

/** The conditions of a query on words and list keys. */
export const conditionsOf = ({ words = [], ...query }: AuctionQuery): readonly ((placed: Placed) => boolean)[] => [
  ...words.map(
    (word) =>
      ({ auction }: Placed) =>
        wordsOf(auction.title ?? '').includes(word),
  ),
  ...listKeys
    .filter((key) => query[key] !== undefined)
    .map(
      (key) =>
        ({ auction }: Placed) =>
          auction[key] === query[key],
    ),
]

const isMatch = (placed: Placed, query: AuctionQuery): boolean =>
  isInList(placed, query) && conditionsOf(query).every((hasIt) => hasIt(placed))

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
    const changed = members.filter(({ auction, dueMs }) => dueMs !== firstStage(auction).timeMs)
    const updates = changed.map(({ auction: { id }, dueMs, outcome }) =>
      dueMs === undefined ? ended(id, endedMs, outcome) : due(id, dueMs),
    )
    // A slow store has a time limit for each call.
    for (let from = 0; from < updates.length; from += 400) await store.updateAgenda(updates.slice(from, from + 400))
  }
  return inserted
}
