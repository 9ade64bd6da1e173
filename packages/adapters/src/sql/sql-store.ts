import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { CompleteStore } from '@auction/domain/store'
import { createSqlAuctionLists } from './auction-lists.ts'
import { createSqlAuctions } from './auctions.ts'
import { createSqlCheckpoints } from './checkpoints.ts'
import { createDatabase, type SqlDatabase } from './database.ts'
import { createSqlEntries } from './entries.ts'
import { createSqlIdBlocks } from './id-blocks.ts'

export type { SqlDatabase, SqlRead, SqlWrite } from './database.ts'
export type { Dialect } from './dialect.ts'
export { join, raw, type Sql, type SqlValue, sql } from './statement.ts'
export { type SqlTypes, sqlTypes, tableStatements } from './tables.ts'

export type SqlStore = CompleteStore & {
  /** How far subscribers have received events, for `createDelivery`. */
  readonly checkpoints: Checkpoints
}

/**
 * Creates a store in the tables of a database that keeps two promises of the port itself: a write is durable, and a read
 * shows what any process has stored. Add a `close` with `closable`. A part that the database can do better is replaced
 * by another member.
 */
export function createSqlStore(parts: SqlDatabase): SqlStore {
  const database = createDatabase(parts)
  return {
    ...createSqlAuctions(database),
    ...createSqlAuctionLists(database),
    ...createSqlEntries(database),
    ...createSqlIdBlocks(database),
    checkpoints: createSqlCheckpoints(database),
  }
}
