import type { ListedAuction } from '@auction/domain/auction'
import { UnreadableStoredError } from '@auction/domain/errors'
import type { Entry, StoredAuction } from '@auction/domain/store'
import { parseStoredAuction, parseStoredEntry, storedVersion } from '@auction/domain/stored'
import type { Row, SqlValue } from './statements.ts'

/** @throws RangeError for an inexact integer, which SQLite would store as another value */
export function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('a number is not an exact integer')
  return value
}

/** The columns that `rowOfAuction` fills. */
export const insertedAuctionColumns = 'id, requestKey, ownerId, productId, createdAtMs, dueMs, data, description'

export function rowOfAuction(auction: StoredAuction): Row {
  const { id, requestKey, ownerId, productId, createdAtMs, description, ...rest } = auction
  return [
    integer(id),
    requestKey ?? null,
    integer(ownerId),
    integer(productId),
    integer(createdAtMs),
    integer(rest.endTime.epochMs),
    JSON.stringify({ version: storedVersion, ...rest }),
    description === undefined ? null : JSON.stringify(description),
  ]
}

/** The columns that `parseListedAuction` takes. */
export const listedAuctionColumns = 'id, ownerId, productId, createdAtMs, data'

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseListedAuction = ([id, ownerId, productId, createdAtMs, data]: Row): ListedAuction =>
  parseStoredAuction({ id, ownerId, productId, createdAtMs, ...fieldsOf('auction', { id }, data) })

/** A description, which is stored as JSON, because reads cut texts at a NUL: see `entryColumns`. */
export function parseDescription(id: number, text: SqlValue): string {
  const description = jsonOf('auction', { id }, 'description', text)
  if (typeof description === 'string') return description
  throw new UnreadableStoredError('auction', { id }, 'an invalid field description: it is not a string')
}

/** The columns that `rowOfEntry` fills. */
export const insertedEntryColumns = 'id, auctionId, sequence, requestKey, data'

export const rowOfEntry = ({ id, auctionId, sequence, requestKey, atMs, currency, event, state }: Entry): Row => [
  integer(id),
  integer(auctionId),
  integer(sequence),
  requestKey ?? null,
  JSON.stringify({ version: storedVersion, atMs, currency, event, state }),
]

/** The columns that `parseEntry` takes. Early patches of Node.js 24 cut a text at a NUL; as JSON it has none. */
export const entryColumns = 'id, auctionId, sequence, json_quote(requestKey), data'

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseEntry([id, auctionId, sequence, quotedKey, data]: Row): Entry {
  const requestKey: unknown = JSON.parse(String(quotedKey))
  const fields = { id, auctionId, sequence, ...fieldsOf('entry', { id, auctionId }, data) }
  return parseStoredEntry(requestKey === null ? fields : { ...fields, requestKey })
}

const fieldsOf = (kind: 'auction' | 'entry', what: object, data: unknown): object =>
  Object(jsonOf(kind, what, 'data', data))

function jsonOf(kind: 'auction' | 'entry', what: object, field: string, text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    // Without the cause, which contains a part of the text and so perhaps a reserve or a maximum.
    throw new UnreadableStoredError(kind, what, `an invalid field ${field}: it is not JSON`)
  }
}
