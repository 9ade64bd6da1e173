import type { ListedAuction } from '@auction/domain/auction/auction'
import type { Entry } from '@auction/domain/ledger/entry'
import type { StoredAuction } from '@auction/domain/store'
import { parseStoredAuction, parseStoredEntry, storedVersion } from '@auction/domain/stored'
import { UnreadableStoredError } from '@auction/domain/unreadable-stored'
import type { Row, SqlValue } from './statements.ts'

/** @throws RangeError for what is no exact integer, which SQLite would store as another value. */
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

/** @throws UnreadableStoredError that names the row and its faulty field */
export const parseListedAuction = ([id, ownerId, productId, createdAtMs, data]: Row): ListedAuction =>
  parseStoredAuction({ id, ownerId, productId, createdAtMs, ...fieldsOf('auction', { id }, data) })

/** A description, which stands in its column as JSON, since texts are cut at a NUL where they are read: see `entryColumns`. */
export function parseDescription(id: number, text: SqlValue): string {
  const description = jsonOf('auction', { id }, 'description', text)
  if (typeof description === 'string') return description
  throw new UnreadableStoredError('auction', { id }, 'a faulty field description: it is no text')
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

/** What `parseEntry` takes. The first patches of Node.js 24 cut a text that they read at a NUL; as JSON it has none. */
export const entryColumns = 'id, auctionId, sequence, json_quote(requestKey), data'

/** @throws UnreadableStoredError that names the row and its faulty field */
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
    // The cause shows a part of the text, in which there may be a reserve or a maximum.
    throw new UnreadableStoredError(kind, what, `a faulty field ${field}: it is no JSON text`)
  }
}
