import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/delivery/checkpoints'
import type { Connection } from './connection.ts'

/** Rows are in the order of the keys, because two calls that lock the same rows in opposite orders would deadlock. */
const saveSql = `
  INSERT INTO checkpoints AS saved (auction_id, name, sequence)
  SELECT auction_id, name, sequence
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS given (auction_id, name, sequence)
  ORDER BY auction_id, name COLLATE "C"
  ON CONFLICT (auction_id, name) DO UPDATE SET sequence = excluded.sequence WHERE saved.sequence < excluded.sequence`

const select = 'SELECT auction_id AS "auctionId", name, sequence FROM checkpoints'
const findSql = `${select} WHERE auction_id = ANY($1)`
const listSql = `${select} WHERE (auction_id, name) > ($1, $2) ORDER BY auction_id, name LIMIT $3`

const removeSql = `
  DELETE FROM checkpoints WHERE (auction_id, name) IN (
    SELECT auction_id, name FROM checkpoints
    WHERE (auction_id, name) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))
    ORDER BY auction_id, name FOR UPDATE
  )`

const valuesOf = (keys: readonly CheckpointKey[]) => [
  keys.map(({ auctionId }) => auctionId),
  keys.map(({ name }) => name),
]

/** One row for each auction and subscriber. */
export const createPostgresqlCheckpoints = ({ query }: Connection): Checkpoints => ({
  async save(checkpoints) {
    if (checkpoints.length === 0) return
    const values = [...valuesOf(checkpoints), checkpoints.map(({ sequence }) => sequence)]
    await query({ what: 'save checkpoints', text: saveSql, values })
  },

  async find(auctionIds) {
    return (await query<Checkpoint>({ what: 'find checkpoints', text: findSql, values: [auctionIds] })).rows
  },

  async list({ after, limit }) {
    const values = [after?.auctionId ?? 0, after?.name ?? '', limit]
    return (await query<Checkpoint>({ what: 'list checkpoints', text: listSql, values })).rows
  },

  async remove(keys) {
    if (keys.length > 0) await query({ what: 'remove checkpoints', text: removeSql, values: valuesOf(keys) })
  },
})
