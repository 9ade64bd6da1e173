import type { IdBlockPart } from '../shared/store-parts.ts'
import type { Connection } from './connection.ts'

const claimSql = `
  INSERT INTO id_blocks AS last (kind, block) VALUES ($1, 1)
  ON CONFLICT (kind) DO UPDATE SET block = last.block + 1
  RETURNING block`

/** The last claimed block of each kind of ids. */
export const createPostgresqlIdBlocks = ({ query }: Connection): IdBlockPart => ({
  async claimNextIdBlock(kind) {
    const { rows } = await query<{ block: number }>({ what: 'claim ids', text: claimSql, values: [kind] })
    return Number(rows[0]?.block) // The statement always returns one row.
  },
})
