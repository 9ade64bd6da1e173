import type { EntryLists } from '../sql/database.ts'
import { byKey } from '../sql/entries.ts'
import { insertedEntryColumns as insertedColumns, rowOfEntry } from '../sql/rows.ts'
import type { Connection } from './connection.ts'

const insertedRows = '$1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[], $7::bigint[]'

/**
 * Stores each list up to its first taken key, and returns how many entries of each list that are. If another process
 * stores the first entry of a list meanwhile, the others are not stored. If it takes another key meanwhile, and an
 * entry after it is stored, the statement divides by zero, and so stores nothing.
 */
const insertFreeSql = `
  WITH new AS MATERIALIZED (
    SELECT * FROM unnest(${insertedRows}, $8::int[], $9::int[]) AS new (${insertedColumns}, list, ordinal)
  ), taken AS MATERIALIZED (
    SELECT list, min(ordinal) AS ordinal FROM new
    -- The planner may read the whole table instead of its indexes for EXISTS.
    WHERE (SELECT 1 FROM entries AS old WHERE old.auction_id = new.auction_id AND old.sequence = new.sequence) = 1
      OR (SELECT 1 FROM entries AS old WHERE old.id = new.id) = 1
      OR (SELECT 1 FROM entries AS old WHERE old.request_key = new.request_key) = 1
    GROUP BY list
  ), free AS MATERIALIZED (
    SELECT * FROM new
    -- A join could change the order of the rows.
    WHERE COALESCE(ordinal < (SELECT taken.ordinal FROM taken WHERE taken.list = new.list), true)
  ), firsts AS (
    INSERT INTO entries (${insertedColumns}) SELECT ${insertedColumns} FROM free WHERE ordinal = 0
    ON CONFLICT DO NOTHING
    RETURNING id
  ), others AS (
    INSERT INTO entries (${insertedColumns}) SELECT ${insertedColumns} FROM free
    WHERE ordinal > 0 AND list IN (SELECT list FROM new WHERE ordinal = 0 AND id IN (SELECT id FROM firsts))
    ON CONFLICT DO NOTHING
    RETURNING id
  )
  SELECT list, count(*)::int AS count, 1 / (count(*) = max(ordinal) + 1)::int AS "isPrefix"
  FROM new WHERE id IN (SELECT id FROM firsts UNION ALL SELECT id FROM others) GROUP BY list`

/**
 * Returns how many entries of each list are stored, or undefined if none are because another process took a key
 * meanwhile.
 */
export const createInsertFree =
  ({ write }: Connection) =>
  async (lists: EntryLists): Promise<readonly number[] | undefined> => {
    const rows = lists
      .flatMap((entries, list) => entries.map((entry, ordinal) => ({ entry, list, ordinal })))
      .sort((a, b) => byKey(a.entry, b.entry))
      .map(({ entry, list, ordinal }) => [...rowOfEntry(entry), list, ordinal])
    const counts = await write<{ list: number; count: number }>({
      what: 'store entries',
      text: insertFreeSql,
      values: Array.from({ length: 9 }, (_, column) => rows.map((row) => row[column])),
    })
    const countOf = counts && new Map(counts.map(({ list, count }) => [list, count]))
    return countOf && lists.map((_, list) => countOf.get(list) ?? 0)
  }
