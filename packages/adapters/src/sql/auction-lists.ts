import type { AuctionId } from '@auction/domain/ids'
import {
  type AuctionPosition,
  type AuctionQuery,
  givenKeys,
  type ListKeys,
  type ListSource,
  maxScannedAuctions,
  numberOfStage,
  shortestSource,
} from '@auction/domain/store'
import { pageOfScan } from '@auction/domain/stored'
import type { AuctionListPart } from '../shared/store-parts.ts'
import type { Database } from './database.ts'
import type { Dialect } from './dialect.ts'
import { type AuctionRow, columnOf, listedAuctionColumns, parseListedAuction } from './rows.ts'
import { join, raw, type Sql, sql } from './statement.ts'

type ListRow = AuctionRow & {
  /** Its time in the order of the list. */
  readonly time_ms: number
  /** Its number among the examined auctions, from 1. */
  readonly number: number
  readonly matches: boolean | number
}

/**
 * Lists auctions along one index, in its order. It examines at most one auction more than the limit, which shows that
 * more follow. It omits auctions that do not match, except the last two: the page after a short one starts after the
 * last examined auction.
 */
export function createSqlAuctionLists({ dialect, query }: Database): AuctionListPart {
  async function count(wanted: AuctionQuery, sources: readonly ListSource[]): Promise<readonly number[]> {
    const statement = countStatement(dialect, wanted, sources)
    const [row = {}] = await query<Readonly<Record<string, number>>>('list auctions', statement, wanted.signal)
    return sources.map((_, index) => Number(row[`count${index}`]))
  }

  return {
    async listAuctions(wanted) {
      const { order, signal } = wanted
      const limit = Math.min(wanted.limit, maxScannedAuctions)
      const { source } = await shortestSource(wanted, (sources) => count(wanted, sources))
      const rows = await query<ListRow>('list auctions', statementOf(dialect, wanted, source, limit), signal)
      const last = lastScanned(rows)
      return pageOfScan({
        limit,
        rows: rows.filter(({ number, matches }) => matches && number <= maxScannedAuctions),
        scanEnd: last && positionOf(order, last),
        positionOf: (row) => positionOf(order, row),
        parse: parseListedAuction,
      })
    },
  }
}

/** The last auction that may be examined, if another one follows. */
const lastScanned = (rows: readonly ListRow[]): ListRow | undefined =>
  rows.at(-1)?.number === maxScannedAuctions + 1 ? rows.at(-2) : undefined

/** The time of each order, and its direction. */
const orders = {
  newest: { column: 'created_at_ms', direction: 'DESC', operator: '<' },
  agenda: { column: 'stage_ms', direction: 'ASC', operator: '>' },
  ended: { column: 'stage_ms', direction: 'DESC', operator: '<' },
} as const

/**
 * The times and ids of the auctions of a list, in its order. The limit is a constant, with which the planner of PostgreSQL
 * reads each range along its index, and merges them.
 */
function itemsOf(dialect: Dialect, { order, after, dueByMs }: AuctionQuery, { of }: ListSource, limit: number): Sql {
  const { column, direction, operator } = orders[order]
  const ends = [
    ...(after === undefined ? [] : [dialect.isBeyond(column, operator, after)]),
    ...(dueByMs === undefined ? [] : [sql`${raw(column)} <= ${dueByMs}`]),
  ]
  const same = 'word' in of ? [] : sameAs(of)
  const ranges =
    'word' in of
      ? [[sql`word = ${of.word}`]]
      : of.stages.map((stage) => [...same, raw(`stage = ${numberOfStage(stage)}`)])
  const select = raw(`SELECT ${column} AS time_ms, id FROM ${'word' in of ? 'title_words' : 'auctions'} WHERE`)
  const inOrder = raw(`ORDER BY ${column} ${direction}, id ${direction} LIMIT ${limit}`)
  const selects = ranges.map((range) => sql`(${select} ${join([...range, ...ends], ' AND ')} ${inOrder})`)
  return join(selects, ' UNION ALL ')
}

function countStatement(dialect: Dialect, query: AuctionQuery, sources: readonly ListSource[]): Sql {
  const counts = sources.map((source, index) => {
    const items = itemsOf(dialect, query, source, maxScannedAuctions + 1)
    return sql`(SELECT count(*) FROM (${items}) AS items) AS ${raw(`count${index}`)}`
  })
  return sql`SELECT ${join(counts, ', ')}`
}

function statementOf(dialect: Dialect, query: AuctionQuery, source: ListSource, limit: number): Sql {
  const { words, stages } = source.filter
  const filter = [
    ...(words.length === 0 ? [] : [dialect.hasWords(words)]),
    ...(stages === undefined ? [] : [raw(`stage IN (${stages.map(numberOfStage).join(', ')})`)]),
    ...sameAs(source.filter),
  ]
  // Few constants, so that few statements are prepared.
  const scanned = filter.length === 0 && limit <= 101 ? 102 : maxScannedAuctions + 1
  const { direction } = orders[query.order]
  const inOrder = raw(`ORDER BY time_ms ${direction}, id ${direction}`)
  const columns = raw(listedAuctionColumns.replaceAll(/\w+/g, 'auction.$&'))
  return sql`
    SELECT * FROM (
      SELECT ${columns}, item.time_ms, item.id AS item_id, item.number,
        ${filter.length === 0 ? raw('true') : join(filter, ' AND ')} AS matches
      FROM (
        SELECT time_ms, id, row_number() OVER (${inOrder}) AS number
        FROM (${itemsOf(dialect, query, source, scanned)}) AS items ${inOrder} LIMIT ${raw(String(scanned))}
      ) AS item ${dialect.joinAuction}
    ) AS scanned
    WHERE matches OR number >= ${raw(String(maxScannedAuctions))}
    ORDER BY time_ms ${raw(direction)}, item_id ${raw(direction)} LIMIT ${limit + 2}`
}

const sameAs = (keys: ListKeys): readonly Sql[] =>
  givenKeys(keys).map(([key, value]) => sql`${raw(columnOf(key))} = ${value}`)

const positionOf = (order: AuctionPosition['order'], row: ListRow): AuctionPosition => ({
  order,
  timeMs: row.time_ms,
  id: row.id as AuctionId, // The cast: the id is that of an auction that was read.
})
