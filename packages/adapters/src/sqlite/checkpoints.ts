import type { Checkpoint, Checkpoints } from '@auction/delivery/checkpoints'
import type { AuctionId } from '@auction/domain/ids'
import { fewKeys, type SqliteContext } from './context.ts'
import type { Row } from './database.ts'
import { integer } from './rows.ts'

const saveSql =
  'INSERT INTO checkpoints (auctionId, name, sequence) VALUES (?, ?, ?) ' +
  'ON CONFLICT DO UPDATE SET sequence = excluded.sequence WHERE sequence < excluded.sequence'
const select = 'SELECT auctionId, name, sequence FROM checkpoints WHERE'
const findSql = `${select} auctionId IN (SELECT value FROM json_each(?))`
const listSql = `${select} (auctionId, name) > (?, ?) ORDER BY auctionId, name LIMIT ?`
const removeSql = 'DELETE FROM checkpoints WHERE auctionId = ? AND name = ?'

// The cast: the columns have these types, by the table.
const parse = ([auctionId, name, sequence]: Row) => ({ auctionId, name, sequence }) as Checkpoint

/** One row for each auction and subscriber. */
export const createSqliteCheckpoints = ({ find, list, write }: SqliteContext): Checkpoints => ({
  async save(checkpoints) {
    if (checkpoints.length === 0) return
    const rows = checkpoints.map(({ auctionId, name, sequence }) => [integer(auctionId), name, integer(sequence)])
    await write('save checkpoints', { sql: saveSql, rows, isEach: true })
  },

  async find(auctionIds: readonly AuctionId[]) {
    const read = auctionIds.length <= fewKeys ? find : list
    return (await read('find checkpoints', findSql, [JSON.stringify(auctionIds)])).map(parse)
  },

  async list({ after, limit }) {
    const position = after === undefined ? [0, ''] : [after.auctionId, after.name]
    return (await list('list checkpoints', listSql, [...position, limit])).map(parse)
  },

  async remove(keys) {
    if (keys.length === 0) return
    const rows = keys.map(({ auctionId, name }) => [integer(auctionId), name])
    await write('remove checkpoints', { sql: removeSql, rows, isEach: true })
  },
})
