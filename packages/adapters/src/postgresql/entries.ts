import { createGroupCommit } from '@auction/domain/batching'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { CallSignal, Entry, Store } from '@auction/domain/store'
import type { Connection } from './connection.ts'
import { bytesOf, dataOf, type EntryRow, entryColumns, parseEntry } from './rows.ts'

const insertSql = `
  INSERT INTO entries (${entryColumns})
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::text[])`

/** The ids of the entries with a taken key. */
const takenSql = `
  SELECT id FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[]) AS new (auction_id, sequence, id, request_key)
  WHERE EXISTS (SELECT FROM entries AS old WHERE old.auction_id = new.auction_id AND old.sequence = new.sequence)
    OR EXISTS (SELECT FROM entries AS old WHERE old.id = new.id)
    OR EXISTS (SELECT FROM entries AS old WHERE old.request_key = new.request_key)`

const select = `SELECT ${entryColumns} FROM entries`

/** One index seek for each auction, to its last entry. */
const headsSql = `
  SELECT head.* FROM unnest($1::bigint[]) AS wanted (auction_id)
  CROSS JOIN LATERAL (${select} WHERE auction_id = wanted.auction_id ORDER BY sequence DESC LIMIT 1) AS head`

const listSql = `${select} WHERE auction_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3`

/** Each repetition of a group means that another process has taken one of its keys. */
const maxTries = 20

type EntryPart = Pick<Store, 'append' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries'>

/** Each entry is one row, and its insert is the commit. Entries of many auctions share a statement, and so a transaction. */
export function createPostgresqlEntries({ during, query, write }: Connection): EntryPart {
  /** Stores all rows, or none if a key is taken. */
  function insert(entries: readonly Entry[]): Promise<boolean> {
    // In one order: otherwise two statements could deadlock on each other's keys.
    const rows = entries.toSorted((a, b) => a.auctionId - b.auctionId || a.sequence - b.sequence)
    return write({ what: 'store entries', text: insertSql, values: [...keyColumns(rows), rows.map(dataOf)] })
  }

  async function findTaken(entries: readonly Entry[]): Promise<ReadonlySet<number>> {
    const { rows } = await query<{ id: number }>({
      what: 'find taken keys',
      text: takenSql,
      values: keyColumns(entries),
    })
    return new Set(rows.map(({ id }) => id))
  }

  async function writeGroup(lists: readonly (readonly Entry[])[]): Promise<readonly number[]> {
    let free = lists
    for (let tries = 0; tries < maxTries; tries++) {
      const entries = free.flat()
      if (entries.length === 0 || (await insert(entries))) return free.map(({ length }) => length)
      free = untilTaken(free, await findTaken(entries))
    }
    const cause = new Error('other processes repeatedly took their keys')
    throw new StoreUnavailableError('PostgreSQL could not store entries', { cause })
  }

  async function find(what: string, text: string, values: readonly unknown[], signal: CallSignal | undefined) {
    const { rows } = await query<EntryRow>({ what, text, values, signal })
    return rows.map(parseEntry)
  }

  // A taken key costs a group two more round trips.
  const groupCommit = createGroupCommit({
    defer: setImmediate,
    write: writeGroup,
    maxWrites: 2,
    maxContendedWrites: 4,
    maxContendedEntries: 1,
  })
  return {
    append: (entries, options) => during(groupCommit(entries, options)),

    findHeads: (auctionIds, signal) => find('read the heads of ledgers', headsSql, [auctionIds], signal),

    findEntries: (ids, signal) => find('find entries', `${select} WHERE id = ANY($1)`, [ids], signal),

    findEntriesByKey: (keys, signal) =>
      find('find entries by key', `${select} WHERE request_key = ANY($1)`, [keys.map(bytesOf)], signal),

    listEntries: (auctionId, { limit, before = Number.MAX_SAFE_INTEGER, signal }) =>
      find("list an auction's entries", listSql, [auctionId, before, limit], signal),
  }
}

const keyColumns = (entries: readonly Entry[]): readonly unknown[] => [
  entries.map(({ auctionId }) => auctionId),
  entries.map(({ sequence }) => sequence),
  entries.map(({ id }) => id),
  entries.map(({ requestKey }) => bytesOf(requestKey)),
]

/** Each list up to its first taken key, including keys of earlier entries in the same group. */
function untilTaken(lists: readonly (readonly Entry[])[], taken: ReadonlySet<number>): readonly (readonly Entry[])[] {
  const seen = new Set<number | string>()
  return lists.map((list) => {
    const end = list.findIndex((entry) => {
      const { id, auctionId, sequence, requestKey } = entry
      const keys = [id, `${auctionId} ${sequence}`, ...(requestKey === undefined ? [] : [`key ${requestKey}`])]
      if (taken.has(id) || keys.some((key) => seen.has(key))) return true
      for (const key of keys) seen.add(key)
      return false
    })
    return end < 0 ? list : list.slice(0, end)
  })
}
