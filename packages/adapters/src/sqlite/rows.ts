import type { ListedAuction } from '@auction/domain/auction'
import type { Entry, FoundAuction, StoredAuction } from '@auction/domain/store'
import { foundAuction } from '@auction/domain/stored'
import {
  auctionColumns,
  entryColumns,
  listedColumns,
  parseEntryOf,
  parseListed,
  valuesOfAuction,
  valuesOfEntry,
} from '../shared/rows.ts'
import type { Row } from './database.ts'

/** @throws RangeError for an inexact integer, which SQLite would store as another value */
export function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('a number is not an exact integer')
  return value
}

const exact = (values: Row): Row => values.map((value) => (typeof value === 'number' ? integer(value) : value))

/** The INSERT of a row, which `rowOfAuction` or `rowOfEntry` makes. */
const insertInto = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`

export const insertAuctionSql = insertInto('auctions', auctionColumns)
export const rowOfAuction = (auction: StoredAuction): Row => exact(valuesOfAuction(auction))

/** The columns that `parseListedAuction` takes. */
export const listedAuctionColumns = listedColumns.join(', ')

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseListedAuction = (row: Row): ListedAuction =>
  parseListed(Object.fromEntries(listedColumns.map((name, index) => [name, row[index]])))

/** The columns that `parseFoundAuction` takes. */
export const foundAuctionColumns = `${listedAuctionColumns}, json_quote(requestKey)`

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseFoundAuction(row: Row, parseListed: (row: Row) => ListedAuction): FoundAuction {
  return foundAuction(parseListed(row.slice(0, -1)), JSON.parse(String(row.at(-1))))
}

export const insertEntrySql = insertInto('entries', entryColumns)
export const rowOfEntry = (entry: Entry): Row => exact(valuesOfEntry(entry))

/** The columns that `parseEntry` takes. Early patches of Node.js 24 cut a text at a NUL; as JSON it has none. */
export const selectedEntryColumns = 'id, auctionId, sequence, atMs, json_quote(requestKey), data'

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseEntry = ([id, auctionId, sequence, atMs, quotedKey, data]: Row): Entry =>
  parseEntryOf({ id, auctionId, sequence, atMs, requestKey: JSON.parse(String(quotedKey)), data })
