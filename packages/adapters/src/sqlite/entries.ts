import type { Entry } from '@auction/domain/ledger/entry'
import type { Store } from '@auction/domain/store'
import { parseStoredEntry, storedVersion } from '@auction/domain/stored'
import type { SqliteContext } from './context.ts'
import { integer, type Row } from './values.ts'

const columns = 'id, auctionId, sequence, requestKey, data'

const insertSql = `INSERT INTO entries (${columns}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

const rowOf = ({ id, auctionId, sequence, requestKey, atMs, currency, event, state }: Entry): Row => [
  integer(id),
  integer(auctionId),
  integer(sequence),
  requestKey ?? null,
  JSON.stringify({ version: storedVersion, atMs, currency, event, state }),
]

const parse = ([id, auctionId, sequence, requestKey, data]: Row): Entry =>
  parseStoredEntry({
    id,
    auctionId,
    sequence,
    ...(requestKey !== null && { requestKey }),
    ...JSON.parse(String(data)),
  })

const byIdSql = `SELECT ${columns} FROM entries WHERE id IN (SELECT value FROM json_each(?))`
const byKeySql = `SELECT ${columns} FROM entries WHERE requestKey IN (SELECT value FROM json_each(?))`
/** One seek for each auction, to the end of its part of the index. */
const headsSql = `
  SELECT ${columns} FROM entries WHERE id IN (
    SELECT (SELECT id FROM entries WHERE auctionId = wanted.value ORDER BY sequence DESC LIMIT 1)
    FROM json_each(?) AS wanted
  )`
const listSql = `SELECT ${columns} FROM entries WHERE auctionId = ? AND sequence <= ? ORDER BY sequence DESC LIMIT ?`

/** How many keys may be looked up at once in the calling thread. */
const fewKeys = 10

type EntryPart = Pick<Store, 'append' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries'>

/** One row an entry; inserting it is the commit. */
export function createSqliteEntries({ find, list, write }: SqliteContext): EntryPart {
  async function findAll(what: string, sql: string, keys: readonly (number | string)[]): Promise<readonly Entry[]> {
    if (keys.length === 0) return []
    const read = keys.length <= fewKeys ? find : list
    return (await read(what, sql, [JSON.stringify(keys)])).map(parse)
  }

  return {
    append: async (entries) => ({
      stored: entries.length === 0 ? 0 : await write('store entries', insertSql, entries.map(rowOf)),
    }),

    findHeads: (auctionIds) => findAll('read the heads of ledgers', headsSql, auctionIds),

    findEntries: (ids) => findAll('find entries', byIdSql, ids),

    findEntriesByKey: (keys) => findAll('find entries by key', byKeySql, keys),

    async listEntries(auctionId, { limit, before }) {
      const last = before === undefined ? Number.MAX_SAFE_INTEGER : before - 1
      return (await list("list an auction's entries", listSql, [auctionId, last, limit])).map(parse)
    },
  }
}
