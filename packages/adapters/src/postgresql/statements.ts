import type { AppendedPart } from '../shared/store-parts.ts'
import { createSqlStore, type SqlStore } from '../sql/sql-store.ts'
import { createPostgresqlAppended } from './appended.ts'
import { createPostgresqlAuctions } from './auctions.ts'
import { createPostgresqlCheckpoints } from './checkpoints.ts'
import type { Connection } from './connection.ts'
import { postgresqlDialect, textOf, together } from './dialect.ts'
import { createInsertFree } from './entries.ts'
import { createPostgresqlIdBlocks } from './id-blocks.ts'

/** The operations of a store, with statements of PostgreSQL for those that the layer for all databases has slower. */
export function createStatements(connection: Connection): SqlStore & AppendedPart {
  const store = createSqlStore({
    name: 'PostgreSQL',
    query: async ({ what, sql, signal }) =>
      (await connection.query({ what, text: textOf(sql), values: sql.values, signal })).rows,
    async tryWrite({ what, statements }) {
      const sql = together(statements)
      return (await connection.write({ what, text: textOf(sql), values: sql.values })) !== undefined
    },
    dialect: postgresqlDialect,
    insertFree: createInsertFree(connection),
  })
  return {
    ...store,
    // An append may wait for other writes of this process before its statement is sent.
    append: (entries, options) => connection.during(store.append(entries, options)),
    insertAuction: (auction) => connection.during(store.insertAuction(auction)),
    ...createPostgresqlAuctions(connection),
    ...createPostgresqlIdBlocks(connection),
    ...createPostgresqlAppended(connection),
    checkpoints: createPostgresqlCheckpoints(connection),
  }
}
