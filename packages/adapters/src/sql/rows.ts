import type { Auction, ListedAuction } from '@auction/domain/auction'
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
import type { SqlValue } from './statement.ts'

export const bytesOf = (key: string): Uint8Array => Buffer.from(key)
const keyBytes = (key: string | undefined) => (key === undefined ? null : bytesOf(key))
const keyText = (bytes: Uint8Array | null) => (bytes === null ? undefined : Buffer.from(bytes).toString())

/** The columns that `rowOfAuction` fills. */
export const insertedAuctionColumns =
  'id, request_key, owner_id, product_id, created_at_ms, stage, stage_ms, corrections, data, description'

export function rowOfAuction(auction: StoredAuction): readonly SqlValue[] {
  const { id, requestKey, ownerId, productId, createdAtMs } = auction
  const { stage, timeMs } = firstStage(auction)
  const { data, description } = auctionJson(auction)
  const place = [numberOfStage(stage), timeMs, 0]
  return [id, keyBytes(requestKey), ownerId, productId, createdAtMs, ...place, data, description]
}

/** The columns of an auction in a list, without the description, which may be long. */
export const listedAuctionColumns = 'id, owner_id, product_id, created_at_ms, data'

export type AuctionRow = {
  readonly id: number
  readonly owner_id: number
  readonly product_id: number
  readonly created_at_ms: number
  readonly data: string
}

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseListedAuction = (row: AuctionRow): ListedAuction => parseStoredAuction(auctionFields(row))

export type FoundRow = AuctionRow & { readonly request_key: Uint8Array | null }

/** @throws UnreadableStoredError that names the row and the invalid field */
export const parseFoundAuction = (row: FoundRow): FoundAuction =>
  foundAuction(parseListedAuction(row), keyText(row.request_key))

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

/** The columns that `rowOfEntry` fills. */
export const insertedEntryColumns = `${entryColumns}, bidder_id`

export const rowOfEntry = (entry: Entry): readonly SqlValue[] => {
  const { auctionId, sequence, id, atMs, requestKey } = entry
  return [auctionId, sequence, id, atMs, keyBytes(requestKey), dataOf(entry), bidderOf(entry) ?? null]
}

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
  requestKey: keyText(request_key),
})

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
  return parseStoredEntry(key === null ? fields : { ...fields, requestKey: keyText(key) })
}
