import type { Auction, ListedAuction } from '@auction/domain/auction'
import type { Entry, FoundAuction, StoredAuction } from '@auction/domain/store'
import { foundAuction } from '@auction/domain/stored'
import {
  auctionColumns,
  entryColumns,
  listedColumns,
  parseDescription,
  parseEntryOf,
  parseListed,
  valuesOfAuction,
  valuesOfEntry,
} from '../shared/rows.ts'
import type { SqlValue } from './statement.ts'

export const bytesOf = (key: string): Uint8Array => Buffer.from(key)
const keyText = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString())

/** The name of a column in SQL, such as `created_at_ms`. */
export const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const columnsOf = (names: readonly string[]): string => names.map(columnOf).join(', ')

/** The values of columns, with keys of requests as bytes. */
const withBytes = (names: readonly string[], values: readonly (string | number | null)[]): readonly SqlValue[] =>
  values.map((value, index) => (names[index] === 'requestKey' && typeof value === 'string' ? bytesOf(value) : value))

/** The columns that `rowOfAuction` fills. */
export const insertedAuctionColumns = columnsOf(auctionColumns)

export const rowOfAuction = (auction: StoredAuction): readonly SqlValue[] =>
  withBytes(auctionColumns, valuesOfAuction(auction))

/** The columns of an auction in a list. */
export const listedAuctionColumns = columnsOf(listedColumns)
const listedNames = listedColumns.map((name) => [name, columnOf(name)] as const)

/** A row with at least the columns of an auction in a list. */
export type AuctionRow = Readonly<Record<string, unknown>> & { readonly id: number }

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseListedAuction = (row: AuctionRow): ListedAuction =>
  parseListed(Object.fromEntries(listedNames.map(([name, column]) => [name, row[column]])))

export type FoundRow = AuctionRow & { readonly request_key: Uint8Array | null }

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseFoundAuction = (row: FoundRow): FoundAuction =>
  foundAuction(parseListedAuction(row), keyText(row.request_key))

export type DescribedRow = AuctionRow & { readonly description: string | null }

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseAuction(row: DescribedRow): Auction {
  const listed = parseListedAuction(row)
  if (row.description === null) return listed
  return { ...listed, description: parseDescription(row.id, row.description) }
}

/** The columns of an entry that `rowOfEntry` fills. */
export const insertedEntryColumns = columnsOf(entryColumns)

export const rowOfEntry = (entry: Entry): readonly SqlValue[] => withBytes(entryColumns, valuesOfEntry(entry))

/** The columns that `parseEntry` takes. */
export const selectedEntryColumns = 'auction_id, sequence, id, at_ms, request_key, data'

export type EntryRow = KeyRow & { readonly at_ms: number; readonly data: string }

/** The columns of the keys of an entry. */
export const keyColumns = 'auction_id, sequence, id, request_key'

export type KeyRow = {
  readonly auction_id: number
  readonly sequence: number
  readonly id: number
  readonly request_key: Uint8Array | null
}

export const keysOfRow = ({ auction_id: auctionId, sequence, id, request_key }: KeyRow) => ({
  ...{ auctionId, sequence, id },
  requestKey: keyText(request_key) ?? undefined,
})

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseEntry = ({ at_ms: atMs, data, ...keys }: EntryRow): Entry =>
  parseEntryOf({ ...keysOfRow(keys), atMs, data })
