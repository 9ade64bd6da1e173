import type { ListedAuction } from '@auction/domain/auction/auction'
import type { AuctionId } from '@auction/domain/ids'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '@auction/domain/store'
import { readEach } from '@auction/domain/unreadable-stored'
import type { SqliteContext } from './context.ts'
import type { RowParser } from './row-parser.ts'
import { integer, listedAuctionColumns } from './rows.ts'
import type { Row } from './statements.ts'

/** A part of a WHERE clause, with what is bound to it. */
type Condition = { readonly sql: string; readonly params: Row }

type Place = { readonly timeMs: number; readonly id: number }

/** How auctions are listed: along which index, from where to where on it, and which of those on the way. */
type ListPlan = {
  readonly index: string
  readonly timeColumn: 'createdAtMs' | 'dueMs'
  readonly direction: 'ASC' | 'DESC'
  /** What all auctions on the way have: those of a partial index, and the columns of an index that come before its time. */
  readonly prefix: readonly Condition[]
  /** All that comes after `after`, up to `until` and with it; either end may be open. */
  readonly after: Place | undefined
  readonly until: Place | undefined
  /** What only some on the way match, told by the index alone; empty where all do. */
  readonly filter: readonly Condition[]
}

function planOf({ order, after, dueByMs, onlyOpen, ownerId, productId }: AuctionQuery): ListPlan {
  const [ofOwner, ofProduct] = [sameAs('ownerId', ownerId), sameAs('productId', productId)]
  const open: readonly Condition[] = [{ sql: 'dueMs IS NOT NULL', params: [] }]
  if (order === 'agenda') {
    const until = dueByMs === undefined ? undefined : { timeMs: dueByMs, id: Number.MAX_SAFE_INTEGER }
    const filter = [...ofOwner, ...ofProduct]
    return { index: 'agenda', timeColumn: 'dueMs', direction: 'ASC', prefix: open, after, until, filter }
  }
  const base = onlyOpen ? 'openNewest' : 'newest'
  const [index, same, filter] =
    ownerId === undefined
      ? [productId === undefined ? base : `${base}OfProduct`, ofProduct, []]
      : [`${base}OfOwner`, ofOwner, ofProduct]
  const prefix = onlyOpen ? [...same, ...open] : same
  return { index, timeColumn: 'createdAtMs', direction: 'DESC', prefix, after, until: undefined, filter }
}

const sameAs = (column: string, value: number | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ sql: `${column} = ?`, params: [integer(value)] }]

/** SQLite compares time and id together, as the index has them: each end of the range is one seek. */
function conditionsOf({ timeColumn, direction, prefix, after, until, filter }: ListPlan): readonly Condition[] {
  const [behind, upTo] = direction === 'ASC' ? ['>', '<='] : ['<', '>=']
  const end = (operator: string, place: Place | undefined): readonly Condition[] =>
    place === undefined
      ? []
      : [{ sql: `(${timeColumn}, id) ${operator} (?, ?)`, params: [integer(place.timeMs), integer(place.id)] }]
  return [...prefix, ...end(behind, after), ...end(upTo, until), ...filter]
}

/**
 * Lists auctions along one index, in its order. Where not all on the way match, it is first found how far may be looked, which
 * the index alone can tell, and then what matches up to there.
 */
export function createSqliteAuctionLists(
  { list }: SqliteContext,
  { parse }: RowParser<ListedAuction>,
): Pick<Store, 'listAuctions'> {
  function select(plan: ListPlan, columns: string, limit: number, skip: number, signal: AuctionQuery['signal']) {
    const conditions = conditionsOf(plan)
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
    const { index, timeColumn, direction } = plan
    const sql =
      `SELECT ${timeColumn}, ${columns} FROM auctions INDEXED BY ${index}${where} ` +
      `ORDER BY ${timeColumn} ${direction}, id ${direction} LIMIT ? OFFSET ?`
    return list('list auctions', sql, [...conditions.flatMap(({ params }) => params), limit, skip], signal)
  }

  return {
    async listAuctions(query) {
      const { order, signal } = query
      const plan = planOf(query)
      const placeOf = ([timeMs, id]: Row): AuctionPosition => ({
        order,
        timeMs: Number(timeMs),
        id: Number(id) as AuctionId, // It is that of an auction that was read.
      })

      /** The place of the last auction that may be looked at, if there are others behind it. */
      async function findScanEnd(): Promise<AuctionPosition | undefined> {
        const [last, behind] = await select({ ...plan, filter: [] }, 'id', 2, maxScannedAuctions - 1, signal)
        return last && behind && placeOf(last)
      }

      const scanEnd = plan.filter.length > 0 ? await findScanEnd() : undefined
      const limit = Math.min(query.limit, maxScannedAuctions)
      // One more tells whether there are more.
      const found = await select({ ...plan, until: scanEnd ?? plan.until }, listedAuctionColumns, limit + 1, 0, signal)
      const rows = found.slice(0, limit)
      const { values: items, unreadable } = readEach(rows, (row) => {
        const [, ...listed] = row
        return { auction: parse(listed), position: placeOf(row) }
      })
      const last = found.length > limit ? rows.at(-1) : undefined
      const page = { items, next: last === undefined ? scanEnd : placeOf(last) }
      return unreadable.length === 0 ? page : { ...page, unreadable }
    },
  }
}
