import type { ListedAuction } from '@auction/domain/auction/auction'
import type { AuctionId } from '@auction/domain/ids'
import { type AuctionPosition, maxScannedAuctions, type ReadSignal, type Store } from '@auction/domain/store'
import { readEach } from '@auction/domain/unreadable-stored'
import type { SqliteContext } from './context.ts'
import { type ListPlan, planOf } from './list-plans.ts'
import { type Condition, comparePlaces, type Place, rangeConditions } from './places.ts'
import type { RowParser } from './row-parser.ts'
import { listedAuctionColumns, placeOf } from './rows.ts'
import type { Row } from './values.ts'

/**
 * Lists auctions along one index, in its order. Where not all on the way match, it is first found how far may be looked, which
 * the index alone can tell, and then what matches up to there.
 */
export function createSqliteAuctionLists(
  { list }: SqliteContext,
  { parse }: RowParser<ListedAuction>,
): Pick<Store, 'listAuctions'> {
  function select(
    plan: ListPlan,
    columns: string,
    limit: number,
    skip: number,
    signal: ReadSignal | undefined,
  ): Promise<readonly Row[]> {
    const conditions = [...plan.prefix, ...rangeConditions(plan.order, plan.range), ...plan.filter]
    const sql = `SELECT ${columns} FROM auctions INDEXED BY ${plan.index}${where(conditions)}${orderBy(plan)} LIMIT ? OFFSET ?`
    return list('list auctions', sql, [...conditions.flatMap(({ params }) => params), limit, skip], signal)
  }

  /** The place of the last auction that may be looked at, if there are others behind it. */
  async function findScanEnd(plan: ListPlan, signal: ReadSignal | undefined): Promise<Place | undefined> {
    const columns = `${plan.order.timeColumn}, id`
    const [last, behind] = await select({ ...plan, filter: [] }, columns, 2, maxScannedAuctions - 1, signal)
    return last && behind && { timeMs: Number(last[0]), id: Number(last[1]) }
  }

  return {
    async listAuctions(query) {
      const { signal } = query
      const plan = planOf(query)
      const { after, until } = plan.range
      if (after && until && comparePlaces(plan.order, after, until) >= 0) return { auctions: [], next: undefined }
      const scanEnd = plan.filter.length > 0 ? await findScanEnd(plan, signal) : undefined
      const scanned = { ...plan, range: { after, until: scanEnd ?? until } }
      const limit = Math.min(query.limit, maxScannedAuctions)
      // One more tells whether there are more.
      const found = await select(scanned, listedAuctionColumns, limit + 1, 0, signal)
      const rows = found.slice(0, limit)
      const { values: auctions, unreadable } = readEach(rows, parse)
      const last = found.length > limit ? rows.at(-1) : undefined
      const place = last === undefined ? scanEnd : placeOf(last, plan.order)
      const page = { auctions, next: place && positionOf(query.order, place) }
      return unreadable.length === 0 ? page : { ...page, unreadable }
    },
  }
}

const where = (conditions: readonly Condition[]): string =>
  conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`

function orderBy({ order: { timeColumn, direction } }: ListPlan): string {
  const word = direction === 'up' ? 'ASC' : 'DESC'
  return ` ORDER BY ${timeColumn} ${word}, id ${word}`
}

function positionOf(order: AuctionPosition['order'], { timeMs, id }: Place): AuctionPosition {
  const place = { id: id as AuctionId } // It is that of an auction that was read.
  return order === 'newest' ? { order, createdAtMs: timeMs, ...place } : { order, endMs: timeMs, ...place }
}
