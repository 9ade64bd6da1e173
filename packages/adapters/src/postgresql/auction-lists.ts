import type { AuctionId } from '@auction/domain/ids'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions } from '@auction/domain/store'
import { readEach } from '@auction/domain/stored'
import { splitSearch } from '../shared/search-words.ts'
import type { AuctionListPart } from '../shared/store-parts.ts'
import type { Connection } from './connection.ts'
import { type AuctionRow, listedColumns, parseListedAuction } from './rows.ts'

type ListRow = AuctionRow & {
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
  return {
    async listAuctions(wanted) {
      const { order, signal } = wanted
      const limit = Math.min(wanted.limit, maxScannedAuctions)
      const { rows } = await query<ListRow>({ what: 'list auctions', ...statementOf(wanted, limit), signal })
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
  agenda: { column: 'due_ms', direction: 'ASC', operator: '>' },
  ended: { column: 'ended_ms', direction: 'DESC', operator: '<' },
} as const

function statementOf(query: AuctionQuery, limit: number) {
  const { order, after, dueByMs, onlyOpen, words, ownerId, productId } = query
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const { column, direction, operator } = orders[order]

  const range: string[] = []
  const filter: string[] = []
  const hasPrefix = order === 'newest' && words === undefined
  if (ownerId !== undefined) (hasPrefix ? range : filter).push(`owner_id = ${param(ownerId)}`)
  if (productId !== undefined) {
    ;(hasPrefix && ownerId === undefined ? range : filter).push(`product_id = ${param(productId)}`)
  }
  if (order !== 'newest') range.push(`${column} IS NOT NULL`)
  if (order === 'newest' && onlyOpen) filter.push('due_ms IS NOT NULL')
  if (order === 'agenda' && dueByMs !== undefined) range.push(`due_ms <= ${param(dueByMs)}`)
  if (after !== undefined) range.push(`(${column}, id) ${operator} (${param(after.timeMs)}, ${param(after.id)})`)
  if (words !== undefined) {
    const { longest, others } = splitSearch(words)
    range.push(`word = ${param(longest)}`)
    if (others.length > 0) filter.push(hasAll(param(others)))
  }

  const sort = `ORDER BY ${column} ${direction}, id ${direction}`
  const scan = `WHERE ${range.join(' AND ') || 'true'} ${sort} LIMIT ${maxScannedAuctions + 1}`
  return {
    text: `
      SELECT * FROM (
        SELECT ${listedColumns}, row_number() OVER (${sort}) AS number, ${filter.join(' AND ') || 'true'} AS matches
        FROM ${words === undefined ? `auctions ${scan}` : `${auctionsOfWord(scan)} ${sort}`}
      ) AS scanned
      WHERE matches OR number >= ${maxScannedAuctions} ${sort} LIMIT ${param(limit + 2)}`,
    values,
  }
}

/** The auctions of a range of one word. With a limit for each auction, the planner can only read them in this order. */
const auctionsOfWord = (scan: string) => `
  (SELECT created_at_ms, id FROM title_words ${scan}) AS found CROSS JOIN LATERAL (
    SELECT owner_id, product_id, due_ms, ended_ms, data FROM auctions WHERE auctions.id = found.id LIMIT 1
  ) AS auction`

const hasAll = (words: string) => `(
  SELECT count(*) FROM title_words AS own
  WHERE own.word = ANY(${words}::text[]) AND own.created_at_ms = found.created_at_ms AND own.id = found.id
) = cardinality(${words}::text[])`

const positionOf = (order: AuctionPosition['order'], row: AuctionRow): AuctionPosition => ({
  order,
  timeMs: Number(row[orders[order].column]),
  id: row.id as AuctionId, // The cast: the id is that of an auction that was read.
})
