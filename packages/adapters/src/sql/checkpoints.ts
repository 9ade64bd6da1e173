import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/delivery/checkpoints'
import type { Database } from './database.ts'
import { raw, sql } from './statement.ts'

const select = raw('SELECT auction_id, name, sequence FROM checkpoints WHERE')

type Row = { readonly auction_id: Checkpoint['auctionId']; readonly name: string; readonly sequence: number }

const checkpointOf = ({ auction_id: auctionId, name, sequence }: Row): Checkpoint => ({ auctionId, name, sequence })

const isOf = ({ auctionId, name }: CheckpointKey) => sql`auction_id = ${auctionId} AND name = ${name}`

/** Transactions that lock the same rows in opposite orders would deadlock. */
const compare = (a: CheckpointKey, b: CheckpointKey) =>
  a.auctionId - b.auctionId || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** One row for each auction and subscriber. */
export function createSqlCheckpoints({ dialect, query, write }: Database): Checkpoints {
  return {
    save: (checkpoints) =>
      write(
        'save checkpoints',
        checkpoints.toSorted(compare).flatMap((checkpoint) => {
          const { auctionId, name, sequence } = checkpoint
          return [
            sql`UPDATE checkpoints SET sequence = ${sequence} WHERE ${isOf(checkpoint)} AND sequence < ${sequence}`,
            sql`
            INSERT INTO checkpoints (auction_id, name, sequence) SELECT ${auctionId}, ${name}, ${sequence}
            WHERE NOT EXISTS (SELECT 1 FROM checkpoints AS saved WHERE ${isOf(checkpoint)})`,
          ]
        }),
      ),

    async find(auctionIds) {
      const found = sql`${select} ${dialect.isIn('auction_id', auctionIds)}`
      return (await query<Row>('find checkpoints', found)).map(checkpointOf)
    },

    async list({ after, limit }) {
      const { auctionId, name } = after ?? { auctionId: 0, name: '' }
      const following = sql`(auction_id > ${auctionId} OR (auction_id = ${auctionId} AND name > ${name}))`
      const listed = sql`${select} ${following} ORDER BY auction_id, name LIMIT ${limit}`
      return (await query<Row>('list checkpoints', listed)).map(checkpointOf)
    },

    remove: (keys) =>
      write(
        'remove checkpoints',
        keys.toSorted(compare).map((key) => sql`DELETE FROM checkpoints WHERE ${isOf(key)}`),
      ),
  }
}
