import type { Collection, Db } from 'mongodb'
import { auctionsCollection } from './auctions.ts'
import { int64 } from './documents.ts'
import { withinTime } from './driver-call.ts'
import { entriesCollection } from './entries.ts'
import { idBlocksCollection } from './id-blocks.ts'
import { insert } from './writes.ts'

/** The format of the documents. It changes with their content. A database of another format is refused. */
const databaseFormat = 3
/** The format of version 0.1.0, which recorded none. */
const unrecordedFormat = 1

type FormatRecord = { readonly _id: 'format'; readonly version: unknown }

const recordsOf = (database: Db): Collection<FormatRecord> => database.collection('format')

/**
 * Refuses a database with data of another format. Does not change the database.
 * @returns whether the database has a record of its format; a database without data may have none
 * @throws Error that names both formats
 */
async function hasFormat(database: Db, timeoutMs: number): Promise<boolean> {
  // Reads the data first: programs record the format before they store data, so data without a record is from 0.1.0.
  let hasData = false
  for (const name of [auctionsCollection, entriesCollection, idBlocksCollection]) {
    const document = await withinTime(timeoutMs, database.collection(name).findOne({}, { projection: { _id: 1 } }))
    hasData ||= document !== null
  }
  const record = await withinTime(timeoutMs, recordsOf(database).findOne({ _id: 'format' }))
  if (record !== null) refuseOther(database, record.version)
  else if (hasData) refuseOther(database, unrecordedFormat)
  return record !== null
}

/** Records the format of a database that has no record yet. @throws Error like `hasFormat` */
export async function ensureFormat(database: Db, timeoutMs: number): Promise<void> {
  if (await hasFormat(database, timeoutMs)) return
  const record = { _id: 'format', version: int64(databaseFormat) } as const
  const taken = await withinTime(timeoutMs, insert(recordsOf(database), [record]))
  // Another process has recorded it at the same time.
  if (taken.length > 0) await hasFormat(database, timeoutMs)
}

function refuseOther(database: Db, format: unknown): void {
  if (format === databaseFormat) return
  throw new Error(
    `the database ${database.databaseName} has data of format ${String(format)}, and this program reads and writes format ` +
      `${databaseFormat}; name another database, or use the version of the program that created this one`,
  )
}
