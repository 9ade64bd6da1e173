import type { Collection, Db } from 'mongodb'
import { auctionsCollection } from './auctions.ts'
import { int64 } from './documents.ts'
import { withinTime } from './driver-call.ts'
import { entriesCollection } from './entries.ts'
import { idBlocksCollection } from './id-blocks.ts'
import { insert } from './writes.ts'

/**
 * The format of the documents. It changes with their content, as a recorded shape in the tests ensures. A database of
 * another format is refused.
 */
export const databaseFormat = 4
/** The format that `upgradeMongoDatabase` reads: that of 0.2.0, and of versions before 0.3.0. */
export const upgradableFormat = 3
/** The format of version 0.1.0, which recorded none. */
const unrecordedFormat = 1

type FormatRecord = { readonly _id: 'format'; readonly version: unknown }

const recordsOf = (database: Db): Collection<FormatRecord> => database.collection('format')

/** The format of the data; undefined without a record and data. Does not change the database. */
export async function readFormat(database: Db, timeoutMs: number): Promise<unknown> {
  // Reads the data first: programs record the format before they store data, so data without a record is from 0.1.0.
  let hasData = false
  for (const name of [auctionsCollection, entriesCollection, idBlocksCollection]) {
    const document = await withinTime(timeoutMs, database.collection(name).findOne({}, { projection: { _id: 1 } }))
    hasData ||= document !== null
  }
  const record = await withinTime(timeoutMs, recordsOf(database).findOne({ _id: 'format' }))
  return record === null && !hasData ? undefined : (record?.version ?? unrecordedFormat)
}

/**
 * Records the format of a database that has no data yet. Refuses a database with data of another format.
 * @throws Error that names both formats
 */
export async function ensureFormat(database: Db, timeoutMs: number): Promise<void> {
  let format = await readFormat(database, timeoutMs)
  if (format === undefined) {
    const record = { _id: 'format', version: int64(databaseFormat) } as const
    const taken = await withinTime(timeoutMs, insert(recordsOf(database), [record]))
    // Another process has recorded it at the same time.
    format = taken.length > 0 ? await readFormat(database, timeoutMs) : databaseFormat
  }
  if (format !== databaseFormat) throw new Error(otherFormat(database, format))
}

/** Records that the data has the format of this version now. */
export async function recordUpgrade(database: Db, timeoutMs: number): Promise<void> {
  const update = { $set: { version: int64(databaseFormat) } }
  await withinTime(timeoutMs, recordsOf(database).updateOne({ _id: 'format' }, update))
}

/** The refusal of a database with data of another format. */
export const otherFormat = (database: Db, format: unknown): string =>
  `the database ${database.databaseName} has data of format ${String(format)}, and this program reads and writes format ` +
  `${databaseFormat}; ${format === upgradableFormat ? upgradeHint : otherFormatHint}`

const upgradeHint = 'stop all servers that use it, and upgrade it with --upgrade'
const otherFormatHint = 'name another database, or use the version of the program that created this one'
