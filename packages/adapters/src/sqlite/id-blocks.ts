import { createClaimedBlocks } from '../shared/claimed-blocks.ts'
import type { IdBlockPart } from '../shared/store-parts.ts'
import type { SqliteContext } from './context.ts'
import { integer } from './rows.ts'

const claimSql = 'INSERT INTO idBlocks (idsOf, block) VALUES (?, ?) ON CONFLICT DO NOTHING'
const highestSql = 'SELECT block FROM idBlocks WHERE idsOf = ? ORDER BY block DESC LIMIT 1'

/** The claimed blocks of ids, one row each. */
export const createSqliteIdBlocks = ({ find, write }: SqliteContext): IdBlockPart =>
  createClaimedBlocks({
    async highest(kind) {
      const [row] = await find('find the ids that are claimed', highestSql, [kind])
      return row && Number(row[0])
    },
    isClaimed: async (kind, block) =>
      (await write('claim ids', { sql: claimSql, rows: [[kind, integer(block)]] })) === 1,
  })
