import type { CallSignal, Entry } from '@auction/domain/store'
import type { EntryPart } from '../shared/store-parts.ts'
import { fewKeys, type SqliteContext } from './context.ts'
import type { ParseRow } from './row-parser.ts'
import { insertEntrySql, parseEntry, rowOfEntry, selectedEntryColumns } from './rows.ts'

/** A query for one key, the usual case, and one for several keys, which are one JSON array. */
type Query = { readonly one: string; readonly many: string }

const select = `SELECT ${selectedEntryColumns} FROM entries WHERE`
const wanted = '(SELECT value FROM json_each(?))'
const byId: Query = { one: `${select} id = ?`, many: `${select} id IN ${wanted}` }
const byKey: Query = { one: `${select} requestKey = ?`, many: `${select} requestKey IN ${wanted}` }
/** One index seek for each auction, to its last entry. */
const heads: Query = {
  one: `${select} auctionId = ? ORDER BY sequence DESC LIMIT 1`,
  many: `${select} id IN (
    SELECT (SELECT id FROM entries WHERE auctionId = wanted.value ORDER BY sequence DESC LIMIT 1)
    FROM json_each(?) AS wanted
  )`,
}
const listSql = `${select} auctionId = ? AND sequence <= ? ORDER BY sequence DESC LIMIT ?`
/** A seek to the time in the index, which also has the ids. A bidder has few entries with the same time. */
const bidderSql = (after: string) => `${select} bidderId = ? ${after} ORDER BY atMs DESC, id DESC LIMIT ?`
const firstOfBidderSql = bidderSql('')
const nextOfBidderSql = bidderSql('AND (atMs, id) < (?, ?)')

/** A longer list is part of a read of a whole ledger, which would replace everything in the cache. */
const maxCachedList = 200

/** Each entry is one row, and its insert is the commit. */
export function createSqliteEntries({ find, list, write }: SqliteContext, parse: ParseRow<Entry>): EntryPart {
  async function findAll(what: string, query: Query, keys: readonly (number | string)[], signal?: CallSignal) {
    const [key] = keys
    if (key === undefined) return []
    if (keys.length === 1) return (await find(what, query.one, [key], signal)).map(parse)
    const read = keys.length <= fewKeys ? find : list
    return (await read(what, query.many, [JSON.stringify(keys)], signal)).map(parse)
  }

  return {
    // Contended appends need no separate path: a taken key does not slow a transaction.
    async append(entries, { signal } = {}) {
      if (entries.length === 0) return 0
      return write('store entries', { sql: insertEntrySql, rows: entries.map(rowOfEntry), isAppend: true }, signal)
    },

    findHeads: (auctionIds, signal) => findAll('read the heads of ledgers', heads, auctionIds, signal),

    findEntries: (ids, lookup) => findAll('find entries', byId, ids, lookup?.signal),

    findEntriesByKey: (keys, lookup) => findAll('find entries by key', byKey, keys, lookup?.signal),

    async listEntries(auctionId, { limit, before, signal }) {
      const last = before === undefined ? Number.MAX_SAFE_INTEGER : before - 1
      const rows = await list("list an auction's entries", listSql, [auctionId, last, limit], signal)
      return rows.map(limit > maxCachedList ? parseEntry : parse)
    },

    async listBidderEntries(bidderId, { limit, after, signal }) {
      const [sql, position] = after ? [nextOfBidderSql, [after.timeMs, after.id]] : [firstOfBidderSql, []]
      return (await list("list a bidder's entries", sql, [bidderId, ...position, limit], signal)).map(parse)
    },
  }
}
