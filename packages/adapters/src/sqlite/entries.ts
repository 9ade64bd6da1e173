import type { BidId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/ledger/entry'
import type { Store } from '@auction/domain/store'
import { parseStoredEntry, storedVersion } from '@auction/domain/stored'
import { createBoundedCache } from './bounded-cache.ts'
import type { SqliteContext } from './context.ts'
import { frozen } from './frozen.ts'
import { integer, type Row, type SqlValue } from './values.ts'

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

type Query = { readonly one: string; readonly many: string }

const select = `SELECT ${columns} FROM entries WHERE`
const wanted = '(SELECT value FROM json_each(?))'
const byId: Query = { one: `${select} id = ?`, many: `${select} id IN ${wanted}` }
const byKey: Query = { one: `${select} requestKey = ?`, many: `${select} requestKey IN ${wanted}` }
/** One seek for each auction, to the end of its part of the index. */
const heads: Query = {
  one: `${select} auctionId = ? ORDER BY sequence DESC LIMIT 1`,
  many: `${select} id IN (
    SELECT (SELECT id FROM entries WHERE auctionId = wanted.value ORDER BY sequence DESC LIMIT 1)
    FROM json_each(?) AS wanted
  )`,
}
const listSql = `${select} auctionId = ? AND sequence <= ? ORDER BY sequence DESC LIMIT ?`

/** How many keys may be looked up at once in the calling thread. */
const fewKeys = 10
/** How many entries that were read are kept, parsed. */
const maxParsed = 5_000

type Parsed = { readonly data: SqlValue | undefined; readonly entry: Entry }

type EntryPart = Pick<Store, 'append' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries'>

/** One row an entry; inserting it is the commit. */
export function createSqliteEntries({ find, list, write }: SqliteContext): EntryPart {
  const parsed = createBoundedCache<BidId, Parsed>(maxParsed)

  /** What is read again and again is parsed once: the same text of the same row is the same entry. */
  function parseOnce(row: Row): Entry {
    const [id, , , , data] = row
    const known = parsed.get(id as BidId) // The type of the column; `parse` checks it before it gets in here.
    if (known !== undefined && known.data === data) return known.entry
    const entry = parse(row)
    parsed.set(entry.id, { data, entry: frozen(entry) })
    return entry
  }

  async function findAll(what: string, query: Query, keys: readonly (number | string)[]): Promise<readonly Entry[]> {
    const [key] = keys
    if (key === undefined) return []
    if (keys.length === 1) return (await find(what, query.one, [key])).map(parseOnce)
    const read = keys.length <= fewKeys ? find : list
    return (await read(what, query.many, [JSON.stringify(keys)])).map(parse)
  }

  return {
    append: async (entries) => ({
      stored: entries.length === 0 ? 0 : await write('store entries', insertSql, entries.map(rowOf)),
    }),

    findHeads: (auctionIds) => findAll('read the heads of ledgers', heads, auctionIds),

    findEntries: (ids) => findAll('find entries', byId, ids),

    findEntriesByKey: (keys) => findAll('find entries by key', byKey, keys),

    async listEntries(auctionId, { limit, before }) {
      const last = before === undefined ? Number.MAX_SAFE_INTEGER : before - 1
      return (await list("list an auction's entries", listSql, [auctionId, last, limit])).map(parse)
    },
  }
}
