import type { AuctionId } from '@auction/domain/ids'
import {
  type AuctionPosition,
  type AuctionQuery,
  type ListSource,
  maxScannedAuctions,
  numberOfStage,
  shortestSource,
} from '@auction/domain/store'
import { readEach } from '@auction/domain/stored'
import type { AuctionListPart } from '../shared/store-parts.ts'
import type { Connection } from './connection.ts'
import { type AuctionRow, listedColumns, parseListedAuction } from './rows.ts'

type ListRow = AuctionRow & {
  /** Its time in the order of the list. */
  readonly time_ms: number
  /** Its number among the examined auctions, from 1. */
  readonly number: number
  readonly matches: boolean
}

/**
 * Lists auctions along one index, in its order. It examines at most one auction more than the limit, which shows that
 * more follow. It omits auctions that do not match, except the last two: the page after a short one starts after the
 * last examined auction.
 */
export function createPostgresqlAuctionLists({ query }: Connection): AuctionListPart {
  async function count(wanted: AuctionQuery, sources: readonly ListSource[]): Promise<readonly number[]> {
    const { rows } = await query<{ counts: readonly number[] }>({
      what: 'list auctions',
      ...countStatement(wanted, sources),
      signal: wanted.signal,
    })
    return rows[0]?.counts ?? []
  }

  return {
    async listAuctions(wanted) {
      const { order, signal } = wanted
      const limit = Math.min(wanted.limit, maxScannedAuctions)
      const { source } = await shortestSource(wanted, (sources) => count(wanted, sources))
      const { rows } = await query<ListRow>({ what: 'list auctions', ...statementOf(wanted, source, limit), signal })
      const matching = rows.filter(({ number, matches }) => matches && number <= maxScannedAuctions)
      const listed = matching.slice(0, limit)
      const { values: items, unreadable } = readEach(listed, (row) => ({
        auction: parseListedAuction(row),
        position: positionOf(order, row),
      }))
      const last = matching.length > limit ? listed.at(-1) : lastScanned(rows)
      const page = { items, next: last && positionOf(order, last) }
      return unreadable.length === 0 ? page : { ...page, unreadable }
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

/** The values of a statement. Adding one returns its parameter. */
function createParameters() {
  const values: unknown[] = []
  return { values, param: (value: unknown) => `$${values.push(value)}` }
}

type Param = ReturnType<typeof createParameters>['param']

/**
 * The places of the auctions of a list, in its order. The limit is a constant, with which the planner reads each range
 * along its index, and merges them.
 */
function placesOf({ order, after, dueByMs }: AuctionQuery, { of }: ListSource, param: Param, limit: number): string {
  const { column, direction, operator } = orders[order]
  const ends = [
    ...(after === undefined ? [] : [`(${column}, id) ${operator} (${param(after.timeMs)}, ${param(after.id)})`]),
    ...(dueByMs === undefined ? [] : [`${column} <= ${param(dueByMs)}`]),
  ]
  const same =
    'word' in of ? [] : [...sameAs('owner_id', of.ownerId, param), ...sameAs('product_id', of.productId, param)]
  const ranges =
    'word' in of
      ? [[`word = ${param(of.word)}`]]
      : of.stages.map((stage) => [...same, `stage = ${numberOfStage(stage)}`])
  const table = 'word' in of ? 'title_words' : 'auctions'
  const selects = ranges.map(
    (range) =>
      `(SELECT ${column} AS time_ms, id FROM ${table} WHERE ${[...range, ...ends].join(' AND ')} ` +
      `ORDER BY ${column} ${direction}, id ${direction} LIMIT ${limit})`,
  )
  return selects.join(' UNION ALL ')
}

function countStatement(query: AuctionQuery, sources: readonly ListSource[]) {
  const { values, param } = createParameters()
  const counts = sources.map((source) => {
    const places = placesOf(query, source, param, maxScannedAuctions + 1)
    return `(SELECT count(*)::int FROM (${places}) AS places)`
  })
  return { text: `SELECT ARRAY[${counts.join(', ')}] AS counts`, values }
}

function statementOf(query: AuctionQuery, source: ListSource, limit: number) {
  const { values, param } = createParameters()
  const { words, stages, ownerId, productId } = source.filter
  const filter = [
    ...(words.length === 0 ? [] : [hasAll(param(words))]),
    ...(stages === undefined ? [] : [`stage IN (${stages.map(numberOfStage).join(', ')})`]),
    ...sameAs('owner_id', ownerId, param),
    ...sameAs('product_id', productId, param),
  ]
  // Few constants, so that few statements are prepared.
  const scanned = filter.length === 0 && limit <= 100 ? 101 : maxScannedAuctions + 1
  const { direction } = orders[query.order]
  const sort = `ORDER BY time_ms ${direction}, id ${direction}`
  // With a limit for each auction, the planner can only read them in this order.
  return {
    text: `
      SELECT * FROM (
        SELECT auction.*, place.time_ms, place.id AS place_id, place.number, ${filter.join(' AND ') || 'true'} AS matches
        FROM (
          SELECT time_ms, id, row_number() OVER (${sort}) AS number
          FROM (${placesOf(query, source, param, scanned)}) AS places ${sort} LIMIT ${scanned}
        ) AS place CROSS JOIN LATERAL (
          SELECT ${listedColumns}, stage FROM auctions WHERE auctions.id = place.id LIMIT 1
        ) AS auction
      ) AS scanned
      WHERE matches OR number >= ${maxScannedAuctions}
      ORDER BY time_ms ${direction}, place_id ${direction} LIMIT ${param(limit + 2)}`,
    values,
  }
}

const sameAs = (column: string, value: number | undefined, param: Param): readonly string[] =>
  value === undefined ? [] : [`${column} = ${param(value)}`]

const hasAll = (words: string) => `(
  SELECT count(*) FROM title_words AS own
  WHERE own.word = ANY(${words}::text[]) AND own.created_at_ms = auction.created_at_ms AND own.id = auction.id
) = cardinality(${words}::text[])`

const positionOf = (order: AuctionPosition['order'], row: ListRow): AuctionPosition => ({
  order,
  timeMs: row.time_ms,
  id: row.id as AuctionId, // The cast: the id is that of an auction that was read.
})
