import type { Statements } from '../sql/database.ts'
import { type Dialect, isOfAuction, standardDialect } from '../sql/dialect.ts'
import { listedAuctionColumns } from '../sql/rows.ts'
import { join, raw, type Sql, type SqlValue, sql } from '../sql/statement.ts'

/** The types of columns that are not `bigint`. */
const types: Readonly<Record<string, string>> = {
  request_key: 'bytea',
  stage: 'smallint',
  ...{ data: 'text', description: 'text', word: 'text' },
}

/** A table of the rows: one array for each column, so that the statement is the same for any number of rows. */
const unnest = (columns: string, rows: readonly (readonly SqlValue[])[]): Sql =>
  sql`unnest(${join(
    columns.split(', ').map((name, index) => {
      const values = rows.map((row) => row[index] ?? null)
      return sql`${values}::${raw(types[name] ?? 'bigint')}[]`
    }),
    ', ',
  )})`

/** The planner finds an index for these forms alone, and prepares few statements. */
export const postgresqlDialect: Dialect = {
  // Arrays of one value cost more than the value.
  insert: (table, columns, rows) =>
    rows.length === 1
      ? standardDialect.insert(table, columns, rows)
      : sql`INSERT INTO ${raw(table)} (${raw(columns)}) SELECT * FROM ${unnest(columns, rows)}`,

  isIn: (column, values) => sql`${raw(column)} = ANY(${values})`,

  isBeyond: (column, operator, { timeMs, id }) => sql`(${raw(column)}, id) ${raw(operator)} (${timeMs}, ${id})`,

  selectHeads: (columns, auctionIds) => sql`
    SELECT head.* FROM unnest(${auctionIds}::bigint[]) AS wanted (auction_id)
    CROSS JOIN LATERAL (
      SELECT ${raw(columns)} FROM entries WHERE auction_id = wanted.auction_id ORDER BY sequence DESC LIMIT 1
    ) AS head`,

  // The limit leaves the planner one way: it reads the auctions in the order of these rows.
  joinAuction: raw(
    `CROSS JOIN LATERAL (
      SELECT ${listedAuctionColumns}, stage FROM auctions WHERE auctions.id = item.id LIMIT 1
    ) AS auction`,
  ),

  hasWords: (words) => sql`(
    SELECT count(*) FROM title_words AS own WHERE own.word = ANY(${words}::text[]) AND ${isOfAuction}
  ) = ${words.length}`,
}

/** The text of a statement with numbered parameters. */
export const textOf = ({ texts }: Sql): string =>
  texts.map((text, index) => (index === 0 ? text : `$${index}${text}`)).join('')

/** One statement, and so one transaction and one message, that runs all of these writes. */
export function together(statements: Statements): Sql {
  if (statements.length === 1) return statements[0]
  const parts = statements.map((statement, index) => sql`${raw(`write${index}`)} AS (${statement})`)
  return sql`WITH ${join(parts, ', ')} SELECT`
}
