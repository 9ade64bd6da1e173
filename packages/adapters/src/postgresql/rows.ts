import type { ListedAuction } from '@auction/domain/auction'
import { UnreadableStoredError } from '@auction/domain/errors'
import type { Entry, StoredAuction } from '@auction/domain/store'
import { parseStoredAuction, parseStoredEntry, storedVersion } from '@auction/domain/stored'

export const bytesOf = (key: string | undefined): Buffer | null => (key === undefined ? null : Buffer.from(key))

/** The columns that `valuesOf` fills. A new auction is on the agenda at its end. */
export const insertedColumns = 'id, request_key, owner_id, product_id, created_at_ms, due_ms, data, description'

export function valuesOf(auction: StoredAuction): readonly unknown[] {
  const { id, requestKey, ownerId, productId, createdAtMs, description, ...rest } = auction
  const data = JSON.stringify({ version: storedVersion, ...rest })
  const text = description === undefined ? null : JSON.stringify(description)
  return [id, bytesOf(requestKey), ownerId, productId, createdAtMs, rest.endTime.epochMs, data, text]
}

/** The columns of an auction in a list, without the description, which may be long. */
export const listedColumns = 'id, owner_id, product_id, created_at_ms, due_ms, data'

export type AuctionRow = {
  readonly id: number
  readonly owner_id: number
  readonly product_id: number
  readonly created_at_ms: number
  readonly due_ms: number | null
  readonly data: string
}

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseListedAuction = (row: AuctionRow): ListedAuction => parseStoredAuction(auctionFields(row))

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseAuction(row: AuctionRow & { readonly description: string | null }): StoredAuction {
  const fields = auctionFields(row)
  if (row.description === null) return parseStoredAuction(fields)
  return parseStoredAuction({ ...fields, description: jsonOf('auction', row, 'description', row.description) })
}

const auctionFields = (row: AuctionRow) => ({
  id: row.id,
  ownerId: row.owner_id,
  productId: row.product_id,
  createdAtMs: row.created_at_ms,
  ...Object(jsonOf('auction', row, 'data', row.data)),
})

export const dataOf = ({ atMs, currency, event, state }: Entry): string =>
  JSON.stringify({ version: storedVersion, atMs, currency, event, state })

export const entryColumns = 'auction_id, sequence, id, request_key, data'

export type EntryRow = {
  readonly auction_id: number
  readonly sequence: number
  readonly id: number
  readonly request_key: Buffer | null
  readonly data: string
}

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseEntry({ auction_id: auctionId, sequence, id, request_key: key, data }: EntryRow): Entry {
  const fields = { auctionId, sequence, id, ...Object(jsonOf('entry', { id, auctionId }, 'data', data)) }
  return parseStoredEntry(key === null ? fields : { ...fields, requestKey: key.toString() })
}

function jsonOf(kind: 'auction' | 'entry', what: { id: number; auctionId?: number }, field: string, text: string) {
  try {
    return JSON.parse(text)
  } catch {
    // Without the cause, which contains a part of the text and so perhaps a reserve or a maximum.
    throw new UnreadableStoredError(kind, what, `an invalid field ${field}: it is not JSON`)
  }
}
