import { join, raw, type Sql, type SqlValue, sql } from './statement.ts'

/** What databases write differently, or plan well only in one form. */
export type Dialect = {
  /** Inserts at least one row, or fails if a key is taken. */
  insert(table: string, columns: string, rows: readonly (readonly SqlValue[])[]): Sql
  /** Whether a column has one of the values, which may be none. */
  isIn(column: string, values: readonly SqlValue[]): Sql
  /** Whether a row follows a position in the order of a column and the id. An index is read from there. */
  isBeyond(column: string, operator: '<' | '>', position: { readonly timeMs: number; readonly id: number }): Sql
  /** Selects the last entry of each auction, of which there is at least one, by an index seek for each. */
  selectHeads(columns: string, auctionIds: readonly SqlValue[]): Sql
  /** Joins each row of `item` with its `auction` by an index seek, in the order of the rows. */
  readonly joinAuction: Sql
  /** Whether the title of an `auction` has all of these words, of which there is at least one, by a seek for each. */
  hasWords(words: readonly string[]): Sql
}

export const isOfAuction = raw('own.created_at_ms = auction.created_at_ms AND own.id = auction.id')

/** Statements of the SQL standard, which PostgreSQL, MariaDB and MySQL understand. */
export const standardDialect: Dialect = {
  insert(table, columns, rows) {
    const tuples = rows.map((row) => sql`(${join(row, ', ')})`)
    return sql`INSERT INTO ${raw(table)} (${raw(columns)}) VALUES ${join(tuples, ', ')}`
  },

  isIn: (column, values) => (values.length === 0 ? raw('1 = 0') : sql`${raw(column)} IN (${join(values, ', ')})`),

  isBeyond: (column, operator, { timeMs, id }) =>
    sql`(${raw(`${column} ${operator}`)} ${timeMs} OR (${raw(column)} = ${timeMs} AND id ${raw(operator)} ${id}))`,

  selectHeads(columns, auctionIds) {
    const select = raw(`SELECT ${columns} FROM entries WHERE auction_id =`)
    const selects = auctionIds.map((auctionId) => sql`(${select} ${auctionId} ORDER BY sequence DESC LIMIT 1)`)
    return join(selects, ' UNION ALL ')
  },

  joinAuction: raw('JOIN auctions AS auction ON auction.id = item.id'),

  // MariaDB would read all auctions with each word for one subquery of several words, or for EXISTS.
  hasWords: (words) =>
    join(
      words.map(
        (word) => sql`(SELECT count(*) FROM title_words AS own WHERE own.word = ${word} AND ${isOfAuction}) = 1`,
      ),
      ' AND ',
    ),
}
