import { createGroupCommit, freePrefixes, keysOfEntry } from '@auction/domain/batching'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { CallSignal, Entry } from '@auction/domain/store'
import type { EntryPart } from '../shared/store-parts.ts'
import type { Connection } from './connection.ts'
import { bidderOf, bytesOf, dataOf, type EntryRow, entryColumns, parseEntry } from './rows.ts'

/** The columns that `columnsOf` fills, and the types of their arrays. */
const insertedColumns = `${entryColumns}, bidder_id`
const insertedRows = '$1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[], $7::bigint[]'

/** Stores all rows, or fails if a key is taken. */
const insertSql = `INSERT INTO entries (${insertedColumns}) SELECT * FROM unnest(${insertedRows})`

/**
 * Stores each list up to its first taken key, and returns how many entries of each list that are. If another process
 * stores the first entry of a list meanwhile, the others are not stored. If it takes another key meanwhile, and an
 * entry after it is stored, the statement divides by zero, and so stores nothing.
 */
const insertFreeSql = `
  WITH new AS MATERIALIZED (
    SELECT * FROM unnest(${insertedRows}, $8::int[], $9::int[]) AS new (${insertedColumns}, list, place)
  ), taken AS MATERIALIZED (
    SELECT list, min(place) AS place FROM new
    -- The planner may read the whole table instead of its indexes for EXISTS.
    WHERE (SELECT 1 FROM entries AS old WHERE old.auction_id = new.auction_id AND old.sequence = new.sequence) = 1
      OR (SELECT 1 FROM entries AS old WHERE old.id = new.id) = 1
      OR (SELECT 1 FROM entries AS old WHERE old.request_key = new.request_key) = 1
    GROUP BY list
  ), free AS MATERIALIZED (
    SELECT * FROM new
    -- A join could change the order of the rows.
    WHERE COALESCE(place < (SELECT taken.place FROM taken WHERE taken.list = new.list), true)
  ), firsts AS (
    INSERT INTO entries (${insertedColumns}) SELECT ${insertedColumns} FROM free WHERE place = 0
    ON CONFLICT DO NOTHING
    RETURNING id
  ), others AS (
    INSERT INTO entries (${insertedColumns}) SELECT ${insertedColumns} FROM free
    WHERE place > 0 AND list IN (SELECT list FROM new WHERE place = 0 AND id IN (SELECT id FROM firsts))
    ON CONFLICT DO NOTHING
    RETURNING id
  )
  SELECT list, count(*)::int AS count, 1 / (count(*) = max(place) + 1)::int AS "isPrefix"
  FROM new WHERE id IN (SELECT id FROM firsts UNION ALL SELECT id FROM others) GROUP BY list`

const select = `SELECT ${entryColumns} FROM entries`

/** One index seek for each auction, to its last entry. */
const headsSql = `
  SELECT head.* FROM unnest($1::bigint[]) AS wanted (auction_id)
  CROSS JOIN LATERAL (${select} WHERE auction_id = wanted.auction_id ORDER BY sequence DESC LIMIT 1) AS head`

const listSql = `${select} WHERE auction_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3`

const bidderSql = `${select} WHERE bidder_id = $1`
const bidderOrder = 'ORDER BY at_ms DESC, id DESC LIMIT $2'

/** Each repetition of a group means that another process has taken one of its keys meanwhile. */
const maxTries = 20

/**
 * Each entry is one row, and its insert is the commit. Entries of many auctions share a statement, and so a
 * transaction.
 */
export function createPostgresqlEntries({ during, query, write }: Connection): EntryPart {
  async function insertAll(lists: readonly (readonly Entry[])[]): Promise<boolean> {
    const entries = lists.flat().sort(byKey)
    const values = columnsOf(entries)
    return (await write({ what: 'store entries', text: insertSql, values })) !== undefined
  }

  /**
   * Returns how many entries of each list are stored, or undefined if none are because another process took a key
   * meanwhile.
   */
  async function insertFree(lists: readonly (readonly Entry[])[]): Promise<readonly number[] | undefined> {
    const rows = lists
      .flatMap((entries, list) => entries.map((entry, place) => ({ entry, list, place })))
      .sort((a, b) => byKey(a.entry, b.entry))
    const places = [rows.map(({ list }) => list), rows.map(({ place }) => place)]
    const values = [...columnsOf(rows.map(({ entry }) => entry)), ...places]
    const counts = await write<{ list: number; count: number }>({ what: 'store entries', text: insertFreeSql, values })
    const countOf = counts && new Map(counts.map(({ list, count }) => [list, count]))
    return countOf && lists.map((_, list) => countOf.get(list) ?? 0)
  }

  // Where servers share many auctions, one group after another has a taken key. Otherwise the plain statement costs less.
  let isKeyLikelyTaken = false

  async function writeGroup(lists: readonly (readonly Entry[])[], isContended: boolean): Promise<readonly number[]> {
    if (!isContended && !isKeyLikelyTaken && (await insertAll(lists))) return lists.map(({ length }) => length)
    const distinct = freePrefixes(lists, keysOfEntry)
    for (let tries = 0; tries < maxTries; tries++) {
      const stored = await insertFree(distinct)
      if (stored === undefined) continue
      if (!isContended) isKeyLikelyTaken = stored.some((count, list) => count < (lists[list]?.length ?? 0))
      return stored
    }
    const cause = new Error('other processes repeatedly took their keys')
    throw new StoreUnavailableError('PostgreSQL could not store entries', { cause })
  }

  async function find(what: string, text: string, values: readonly unknown[], signal: CallSignal | undefined) {
    const { rows } = await query<EntryRow>({ what, text, values, signal })
    return rows.map(parseEntry)
  }

  const groupCommit = createGroupCommit({
    defer: setImmediate,
    write: writeGroup,
    maxWrites: 2,
    maxContendedWrites: 2,
  })
  return {
    append: (entries, options) => during(groupCommit(entries, options)),

    findHeads: (auctionIds, signal) => find('read the heads of ledgers', headsSql, [auctionIds], signal),

    findEntries: (ids, lookup) => find('find entries', `${select} WHERE id = ANY($1)`, [ids], lookup?.signal),

    findEntriesByKey: (keys, lookup) =>
      find('find entries by key', `${select} WHERE request_key = ANY($1)`, [keys.map(bytesOf)], lookup?.signal),

    listEntries: (auctionId, { limit, before = Number.MAX_SAFE_INTEGER, signal }) =>
      find("list an auction's entries", listSql, [auctionId, before, limit], signal),

    listBidderEntries: (bidderId, { limit, after, signal }) =>
      after === undefined
        ? find("list a bidder's entries", `${bidderSql} ${bidderOrder}`, [bidderId, limit], signal)
        : find(
            "list a bidder's entries",
            `${bidderSql} AND (at_ms, id) < ($3, $4) ${bidderOrder}`,
            [bidderId, limit, after.timeMs, after.id],
            signal,
          ),
  }
}

/** The order in which statements take keys: otherwise two could deadlock. */
const byKey = (a: Entry, b: Entry): number => a.auctionId - b.auctionId || a.sequence - b.sequence

const columnsOf = (entries: readonly Entry[]): readonly unknown[] => [
  entries.map(({ auctionId }) => auctionId),
  entries.map(({ sequence }) => sequence),
  entries.map(({ id }) => id),
  entries.map(({ atMs }) => atMs),
  entries.map(({ requestKey }) => bytesOf(requestKey)),
  entries.map(dataOf),
  entries.map(bidderOf),
]
