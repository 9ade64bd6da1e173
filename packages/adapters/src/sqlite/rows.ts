import type { ListedAuction } from '@auction/domain/auction'
import { UnreadableStoredError } from '@auction/domain/errors'
import {
  bidderOf,
  type Entry,
  type FoundAuction,
  firstStage,
  numberOfStage,
  type StoredAuction,
} from '@auction/domain/store'
import { foundAuction, parseStoredAuction, parseStoredEntry } from '@auction/domain/stored'
import { auctionJson, dataOf, parseJson } from '../shared/json-columns.ts'
import type { Row, SqlValue } from './statements.ts'

/** @throws RangeError for an inexact integer, which SQLite would store as another value */
export function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('a number is not an exact integer')
  return value
}

/** The columns that `rowOfAuction` fills. */
export const insertedAuctionColumns =
  'id, requestKey, ownerId, productId, createdAtMs, stage, stageMs, data, description'

export function rowOfAuction(auction: StoredAuction): Row {
  const { id, requestKey, ownerId, productId, createdAtMs } = auction
  const { stage, timeMs } = firstStage(auction)
  const { data, description } = auctionJson(auction)
  return [
    integer(id),
    requestKey ?? null,
    integer(ownerId),
    integer(productId),
    integer(createdAtMs),
    numberOfStage(stage),
    integer(timeMs),
    data,
    description,
  ]
}

/** The columns that `parseListedAuction` takes. */
export const listedAuctionColumns = 'id, ownerId, productId, createdAtMs, data'

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseListedAuction = ([id, ownerId, productId, createdAtMs, data]: Row): ListedAuction =>
  parseStoredAuction({ id, ownerId, productId, createdAtMs, ...Object(parseJson('auction', { id }, 'data', data)) })

/** The columns that `parseFoundAuction` takes. */
export const foundAuctionColumns = `${listedAuctionColumns}, json_quote(requestKey)`

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseFoundAuction(row: Row, parseListed: (row: Row) => ListedAuction): FoundAuction {
  return foundAuction(parseListed(row.slice(0, -1)), JSON.parse(String(row.at(-1))))
}

/** A description, which is stored as JSON, because reads cut texts at a NUL: see `entryColumns`. */
export function parseDescription(id: number, text: SqlValue): string {
  const description = parseJson('auction', { id }, 'description', text)
  if (typeof description === 'string') return description
  throw new UnreadableStoredError('auction', { id }, 'an invalid field description: it is not a string')
}

/** The columns that `rowOfEntry` fills. */
export const insertedEntryColumns = 'id, auctionId, sequence, atMs, bidderId, requestKey, data'

export const rowOfEntry = (entry: Entry): Row => [
  integer(entry.id),
  integer(entry.auctionId),
  integer(entry.sequence),
  integer(entry.atMs),
  bidderOf(entry) ?? null,
  entry.requestKey ?? null,
  dataOf(entry),
]

/** The columns that `parseEntry` takes. Early patches of Node.js 24 cut a text at a NUL; as JSON it has none. */
export const entryColumns = 'id, auctionId, sequence, atMs, json_quote(requestKey), data'

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseEntry([id, auctionId, sequence, atMs, quotedKey, data]: Row): Entry {
  const requestKey: unknown = JSON.parse(String(quotedKey))
  const fields = { id, auctionId, sequence, atMs, ...Object(parseJson('entry', { id, auctionId }, 'data', data)) }
  return parseStoredEntry(requestKey === null ? fields : { ...fields, requestKey })
}
