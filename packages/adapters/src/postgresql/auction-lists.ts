import type { AuctionId } from '@auction/domain/ids'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '@auction/domain/store'
import { readEach } from '@auction/domain/stored'
import type { Connection } from './connection.ts'
import { type AuctionRow, listedColumns, parseListedAuction } from './rows.ts'

type ListRow = AuctionRow & {
  /** Its number among the examined auctions, from 1. */
  readonly number: number
  readonly matches: boolean
}

/**
 * Lists auctions along one index, in its order. It examines at most one auction more than the limit, which shows that more
 * follow. It omits auctions that do not match, except the last two: the page after a short one starts after the last examined
 * auction.
 */
export function createPostgresqlAuctionLists({ query }: Connection): Pick<Store, 'listAuctions'> {
  return {
    async listAuctions(wanted) {
      const { order, signal } = wanted
      const limit = Math.min(wanted.limit, maxScannedAuctions)
      const { rows } = await query<ListRow>({ what: 'list auctions', ...statementOf(wanted, limit), signal })
      const matching = rows.filter(({ number, matches }) => matches && number <= maxScannedAuctions)
      const page = matching.slice(0, limit)
      const { values: items, unreadable } = readEach(page, (row) => ({
        auction: parseListedAuction(row),
        position: positionOf(order, row),
      }))
      const last = matching.length > limit ? page.at(-1) : lastScanned(rows)
      const found = { items, next: last && positionOf(order, last) }
      return unreadable.length === 0 ? found : { ...found, unreadable }
    },
  }
}

/** The last auction that may be examined, if another one follows. */
const lastScanned = (rows: readonly ListRow[]): ListRow | undefined =>
  rows.at(-1)?.number === maxScannedAuctions + 1 ? rows.at(-2) : undefined

function statementOf(query: AuctionQuery, limit: number) {
  const { order, after, dueByMs, onlyOpen, ownerId, productId } = query
  const values: number[] = []
  const param = (value: number) => `$${values.push(value)}`
  const [column, direction, operator] = order === 'newest' ? ['created_at_ms', 'DESC', '<'] : ['due_ms', 'ASC', '>']

  const range: string[] = []
  const filter: string[] = []
  const isPrefix = order === 'newest'
  if (ownerId !== undefined) (isPrefix ? range : filter).push(`owner_id = ${param(ownerId)}`)
  if (productId !== undefined) {
    ;(isPrefix && ownerId === undefined ? range : filter).push(`product_id = ${param(productId)}`)
  }
  if (order === 'agenda') range.push('due_ms IS NOT NULL')
  if (order === 'newest' && onlyOpen) filter.push('due_ms IS NOT NULL')
  if (order === 'agenda' && dueByMs !== undefined) range.push(`due_ms <= ${param(dueByMs)}`)
  if (after !== undefined) range.push(`(${column}, id) ${operator} (${param(after.timeMs)}, ${param(after.id)})`)

  const sort = `ORDER BY ${column} ${direction}, id ${direction}`
  return {
    text: `
      SELECT * FROM (
        SELECT ${listedColumns}, row_number() OVER (${sort}) AS number, ${filter.join(' AND ') || 'true'} AS matches
        FROM auctions WHERE ${range.join(' AND ') || 'true'} ${sort} LIMIT ${maxScannedAuctions + 1}
      ) AS scanned
      WHERE matches OR number >= ${maxScannedAuctions} ${sort} LIMIT ${param(limit + 2)}`,
    values,
  }
}

const positionOf = (order: AuctionPosition['order'], row: AuctionRow): AuctionPosition => ({
  order,
  timeMs: Number(order === 'newest' ? row.created_at_ms : row.due_ms),
  id: row.id as AuctionId, // The id is from an auction that was read.
})
