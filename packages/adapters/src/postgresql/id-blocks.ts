import type { IdBlockPart } from '../shared/store-parts.ts'
import type { Connection } from './connection.ts'

const claimSql = 'INSERT INTO id_blocks VALUES ($1, $2) ON CONFLICT DO NOTHING'
const highestSql = 'SELECT block FROM id_blocks WHERE kind = $1 ORDER BY block DESC LIMIT 1'

/** The claimed blocks of ids, one row each. */
export const createPostgresqlIdBlocks = ({ query }: Connection): IdBlockPart => ({
  async claimIdBlock(kind, block) {
    const { rowCount } = await query({ what: 'claim ids', text: claimSql, values: [kind, block] })
    return rowCount === 1 ? 'claimed' : 'taken'
  },

  async highestIdBlock(kind) {
    const what = 'find the ids that are claimed'
    const { rows } = await query<{ block: number }>({ what, text: highestSql, values: [kind] })
    return rows[0]?.block
  },
})
