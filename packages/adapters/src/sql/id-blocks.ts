import { createClaimedBlocks } from '../shared/claimed-blocks.ts'
import type { IdBlockPart } from '../shared/store-parts.ts'
import type { Database } from './database.ts'
import { sql } from './statement.ts'

/** The claimed blocks of ids, one row each. */
export function createSqlIdBlocks({ dialect, query, tryWrite, repeat }: Database): IdBlockPart {
  return createClaimedBlocks({
    async highest(kind) {
      const select = sql`SELECT block FROM id_blocks WHERE kind = ${kind} ORDER BY block DESC LIMIT 1`
      return (await query<{ readonly block: number }>('find the ids that are claimed', select))[0]?.block
    },
    isClaimed: (kind, block) =>
      repeat('claim ids', async () => {
        if (await tryWrite('claim ids', [dialect.insert('id_blocks', 'kind, block', [[kind, block]])])) return true
        const select = sql`SELECT block FROM id_blocks WHERE kind = ${kind} AND block = ${block}`
        return (await query('find the ids that are claimed', select)).length > 0 ? false : undefined
      }),
  })
}
