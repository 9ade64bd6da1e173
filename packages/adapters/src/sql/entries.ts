import { createGroupCommit, freePrefixes, keysOfEntry } from '@auction/domain/batching'
import type { CallSignal, Entry } from '@auction/domain/store'
import type { EntryPart } from '../shared/store-parts.ts'
import type { Database, EntryLists } from './database.ts'
import {
  bytesOf,
  type EntryRow,
  insertedEntryColumns,
  type KeyRow,
  keyColumns,
  keysOfRow,
  parseEntry,
  rowOfEntry,
  selectedEntryColumns,
} from './rows.ts'
import { join, raw, type Sql, sql } from './statement.ts'

/** The order in which statements take keys: otherwise two could deadlock. */
export const byKey = (a: Entry, b: Entry): number => a.auctionId - b.auctionId || a.sequence - b.sequence

const select = raw(`SELECT ${selectedEntryColumns} FROM entries WHERE`)
const selectKeys = raw(`SELECT ${keyColumns} FROM entries WHERE`)

/**
 * Each entry is one row, and its insert is the commit. Entries of many auctions share a statement, and so a
 * transaction.
 */
export function createSqlEntries(database: Database): EntryPart {
  const { isIn, isBeyond, selectHeads } = database.dialect

  async function find(what: string, statement: Sql, signal?: CallSignal) {
    return (await database.query<EntryRow>(what, statement, signal)).map(parseEntry)
  }

  return {
    append: createGroupCommit({
      defer: setImmediate,
      write: createWriteGroup(database),
      maxWrites: 2,
      maxContendedWrites: 2,
    }),

    async findHeads(ids, signal) {
      return ids.length === 0 ? [] : find('read the heads of ledgers', selectHeads(selectedEntryColumns, ids), signal)
    },

    findEntries: (ids, lookup) => find('find entries', sql`${select} ${isIn('id', ids)}`, lookup?.signal),

    findEntriesByKey: (keys, lookup) =>
      find('find entries by key', sql`${select} ${isIn('request_key', keys.map(bytesOf))}`, lookup?.signal),

    listEntries(auctionId, { limit, before = Number.MAX_SAFE_INTEGER, signal }) {
      const range = sql`${select} auction_id = ${auctionId} AND sequence < ${before}`
      return find("list an auction's entries", sql`${range} ORDER BY sequence DESC LIMIT ${limit}`, signal)
    },

    listBidderEntries(bidderId, { limit, after, signal }) {
      const beyond = after === undefined ? raw('') : sql` AND ${isBeyond('at_ms', '<', after)}`
      const range = sql`${select} bidder_id = ${bidderId}${beyond}`
      return find("list a bidder's entries", sql`${range} ORDER BY at_ms DESC, id DESC LIMIT ${limit}`, signal)
    },
  }
}

function createWriteGroup({ dialect, query, tryWrite, repeat, insertFree }: Database) {
  const { insert, isIn } = dialect

  const insertAll = (lists: EntryLists): Promise<boolean> =>
    tryWrite('store entries', [insert('entries', insertedEntryColumns, lists.flat().sort(byKey).map(rowOfEntry))])

  /** The taken keys of at least one entry. */
  async function findTaken(lists: EntryLists): Promise<ReadonlySet<string>> {
    const entries = lists.flat()
    const keys = entries.flatMap(({ requestKey }) => (requestKey === undefined ? [] : [bytesOf(requestKey)]))
    const positions = lists.flatMap((list) => {
      const sequences = list.map(({ sequence }) => sequence)
      return list[0] === undefined ? [] : [sql`(auction_id = ${list[0].auctionId} AND ${isIn('sequence', sequences)})`]
    })
    const ids = entries.map(({ id }) => id)
    const conditions = [isIn('id', ids), isIn('request_key', keys), join(positions, ' OR ')]
    const selects = conditions.map((condition) => sql`${selectKeys} ${condition}`)
    const taken = await query<KeyRow>('find taken keys', join(selects, ' UNION ALL '))
    return new Set(taken.map(keysOfRow).flatMap(keysOfEntry))
  }

  async function findAndInsertFree(lists: EntryLists): Promise<readonly number[] | undefined> {
    const taken = await findTaken(lists)
    const free = freePrefixes(lists, keysOfEntry, (key) => taken.has(key))
    const isStored = free.every(({ length }) => length === 0) || (await insertAll(free))
    return isStored ? free.map(({ length }) => length) : undefined
  }

  // Where servers share many auctions, one group after another has a taken key. Otherwise the plain statement costs less.
  let isKeyLikelyTaken = false

  return async (lists: EntryLists, isContended: boolean): Promise<readonly number[]> => {
    if (lists.every(({ length }) => length === 0)) return lists.map(() => 0)
    if (!isContended && !isKeyLikelyTaken && (await insertAll(lists))) return lists.map(({ length }) => length)
    const distinct = freePrefixes(lists, keysOfEntry)
    const stored = await repeat('store entries', () => (insertFree ?? findAndInsertFree)(distinct))
    if (!isContended) isKeyLikelyTaken = stored.some((count, list) => count < (lists[list]?.length ?? 0))
    return stored
  }
}
