import type { ListedAuction } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions } from '@auction/domain/store'
import { readEach } from '@auction/domain/stored'
import { splitSearch } from '../shared/search-words.ts'
import type { AuctionListPart } from '../shared/store-parts.ts'
import type { SqliteContext } from './context.ts'
import type { ParseRow } from './row-parser.ts'
import { integer, listedAuctionColumns } from './rows.ts'
import type { Row } from './statements.ts'

/** A part of a WHERE clause, with its parameters. */
type Condition = { readonly sql: string; readonly params: Row }

type Place = { readonly timeMs: number; readonly id: number }

/** How auctions are listed: by which index, in which range of it, and with which filter. */
type ListPlan = {
  /** The table, and the index. */
  readonly from: string
  readonly timeColumn: 'createdAtMs' | 'dueMs' | 'endedMs'
  readonly direction: 'ASC' | 'DESC'
  /** The conditions of a partial index, and on the columns of the index before its time. */
  readonly prefix: readonly Condition[]
  /** The range after `after`, up to and including `until`; either end may be open. */
  readonly after: Place | undefined
  readonly until: Place | undefined
  /** The conditions that only some auctions of the range match, checked in the index; empty if all match. */
  readonly filter: readonly Condition[]
}

const indexed = (index: string): string => `auctions INDEXED BY ${index}`

function planOf(query: AuctionQuery): ListPlan {
  const { order, after, dueByMs, onlyOpen, words, ownerId, productId } = query
  const [ofOwner, ofProduct] = [sameAs('ownerId', ownerId), sameAs('productId', productId)]
  const open: readonly Condition[] = [{ sql: 'dueMs IS NOT NULL', params: [] }]
  if (order === 'agenda') {
    const until = dueByMs === undefined ? undefined : { timeMs: dueByMs, id: Number.MAX_SAFE_INTEGER }
    const filter = [...ofOwner, ...ofProduct]
    return { from: indexed('agenda'), timeColumn: 'dueMs', direction: 'ASC', prefix: open, after, until, filter }
  }
  const newest = { timeColumn: 'createdAtMs', direction: 'DESC', after, until: undefined } as const
  if (order === 'ended') {
    const prefix = [{ sql: 'endedMs IS NOT NULL', params: [] }]
    return { ...newest, from: indexed('ended'), timeColumn: 'endedMs', prefix, filter: [...ofOwner, ...ofProduct] }
  }
  if (words !== undefined) {
    const { longest, others } = splitSearch(words)
    const filter = [...withOthers(others), ...(onlyOpen ? open : []), ...ofOwner, ...ofProduct]
    return { ...newest, from: wordsFirst, prefix: [{ sql: 'word = ?', params: [longest] }], filter }
  }
  const base = onlyOpen ? 'openNewest' : 'newest'
  const [index, same, filter] =
    ownerId === undefined
      ? [productId === undefined ? base : `${base}OfProduct`, ofProduct, []]
      : [`${base}OfOwner`, ofOwner, ofProduct]
  const prefix = onlyOpen ? [...same, ...open] : same
  return { ...newest, from: indexed(index), prefix, filter }
}

/** The words of titles, newest first, each with its auction. SQLite keeps the order of tables in a CROSS JOIN. */
const wordsFirst = 'titleWords CROSS JOIN auctions USING (createdAtMs, id)'

/** The words in addition to the one whose list is read. */
function withOthers(others: readonly string[]): readonly Condition[] {
  const sql =
    'NOT EXISTS (SELECT 1 FROM json_each(?) AS other WHERE NOT EXISTS (SELECT 1 FROM titleWords AS own ' +
    'WHERE own.word = other.value AND own.createdAtMs = titleWords.createdAtMs AND own.id = titleWords.id))'
  return others.length === 0 ? [] : [{ sql, params: [JSON.stringify(others)] }]
}

const sameAs = (column: string, value: number | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ sql: `${column} = ?`, params: [integer(value)] }]

/** SQLite compares time and id together, as in the index, so each end of the range is one seek. */
function conditionsOf({ timeColumn, direction, prefix, after, until, filter }: ListPlan): readonly Condition[] {
  const [later, upTo] = direction === 'ASC' ? ['>', '<='] : ['<', '>=']
  const end = (operator: string, place: Place | undefined): readonly Condition[] =>
    place === undefined
      ? []
      : [{ sql: `(${timeColumn}, id) ${operator} (?, ?)`, params: [integer(place.timeMs), integer(place.id)] }]
  return [...prefix, ...end(later, after), ...end(upTo, until), ...filter]
}

/**
 * Lists auctions along one index, in its order. With a filter, a first query finds the end of the allowed range in the
 * index, and a second one the matches up to that end.
 */
export function createSqliteAuctionLists({ list }: SqliteContext, parse: ParseRow<ListedAuction>): AuctionListPart {
  function select(plan: ListPlan, columns: string, limit: number, skip: number, signal: AuctionQuery['signal']) {
    const conditions = conditionsOf(plan)
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
    const { from, timeColumn, direction } = plan
    const sql =
      `SELECT ${timeColumn}, ${columns} FROM ${from}${where} ` +
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
        id: Number(id) as AuctionId, // The cast: the id is that of an auction that was read.
      })

      /** The place of the last auction that may be examined, if more auctions follow. */
      async function findScanEnd(): Promise<AuctionPosition | undefined> {
        const [last, following] = await select({ ...plan, filter: [] }, 'id', 2, maxScannedAuctions - 1, signal)
        return last && following && placeOf(last)
      }

      const scanEnd = plan.filter.length > 0 ? await findScanEnd() : undefined
      const limit = Math.min(query.limit, maxScannedAuctions)
      // One more auction shows whether another page exists.
      const matches = await select(
        { ...plan, until: scanEnd ?? plan.until },
        listedAuctionColumns,
        limit + 1,
        0,
        signal,
      )
      const rows = matches.slice(0, limit)
      const { values: items, unreadable } = readEach(rows, (row) => {
        const [, ...listed] = row
        return { auction: parse(listed), position: placeOf(row) }
      })
      const last = matches.length > limit ? rows.at(-1) : undefined
      const page = { items, next: last === undefined ? scanEnd : placeOf(last) }
      return unreadable.length === 0 ? page : { ...page, unreadable }
    },
  }
}
