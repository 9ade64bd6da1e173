import type { Auction, ListedAuction } from '@auction/domain/auction'
import { type Entry, type FoundAuction, firstStage, numberOfStage, type StoredAuction } from '@auction/domain/store'
import { foundAuction, parseStoredAuction, parseStoredEntry } from '@auction/domain/stored'
import { auctionJson, parseJson } from '../shared/json-columns.ts'

export { bidderOf, dataOf } from '../shared/json-columns.ts'

export const bytesOf = (key: string | undefined): Buffer | null => (key === undefined ? null : Buffer.from(key))

/** The columns that `valuesOf` fills. */
export const insertedColumns =
  'id, request_key, owner_id, product_id, created_at_ms, stage, stage_ms, data, description'

export function valuesOf(auction: StoredAuction): readonly unknown[] {
  const { id, requestKey, ownerId, productId, createdAtMs } = auction
  const { stage, timeMs } = firstStage(auction)
  const { data, description } = auctionJson(auction)
  return [id, bytesOf(requestKey), ownerId, productId, createdAtMs, numberOfStage(stage), timeMs, data, description]
}

/** The columns of an auction in a list, without the description, which may be long. */
export const listedColumns = 'id, owner_id, product_id, created_at_ms, data'

export type AuctionRow = {
  readonly id: number
  readonly owner_id: number
  readonly product_id: number
  readonly created_at_ms: number
  readonly data: string
}

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseListedAuction = (row: AuctionRow): ListedAuction => parseStoredAuction(auctionFields(row))

export type FoundRow = AuctionRow & { readonly request_key: Buffer | null }

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseFoundAuction = (row: FoundRow): FoundAuction =>
  foundAuction(parseListedAuction(row), row.request_key?.toString())

export type DescribedRow = AuctionRow & { readonly description: string | null }

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseAuction(row: DescribedRow): Auction {
  const fields = auctionFields(row)
  if (row.description === null) return parseStoredAuction(fields)
  return parseStoredAuction({ ...fields, description: parseJson('auction', row, 'description', row.description) })
}

const auctionFields = (row: AuctionRow) => ({
  id: row.id,
  ownerId: row.owner_id,
  productId: row.product_id,
  createdAtMs: row.created_at_ms,
  ...Object(parseJson('auction', row, 'data', row.data)),
})

/** The columns that `parseEntry` takes. */
export const entryColumns = 'auction_id, sequence, id, at_ms, request_key, data'

export type EntryRow = {
  readonly auction_id: number
  readonly sequence: number
  readonly id: number
  readonly at_ms: number
  readonly request_key: Buffer | null
  readonly data: string
}

/** @throws UnreadableStoredError that names the row and the invalid field */
export function parseEntry({
  auction_id: auctionId,
  sequence,
  id,
  at_ms: atMs,
  request_key: key,
  data,
}: EntryRow): Entry {
  const fields = { auctionId, sequence, id, atMs, ...Object(parseJson('entry', { id, auctionId }, 'data', data)) }
  return parseStoredEntry(key === null ? fields : { ...fields, requestKey: key.toString() })
}
