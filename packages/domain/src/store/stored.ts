import * as v from 'valibot'
import { type Auction, AuctionFields, type ListedAuction } from '../auction/auction.ts'
import { type Entry, EntryFields } from '../auction/entry.ts'
import { parseFirst } from '../values/parsing.ts'
import { StoredRequestKey } from '../values/request-key.ts'
import { UnreadableStoredError } from './errors.ts'
import type { FoundAuction, StoredAuction } from './store.ts'

export { StoredCurrency } from '../values/currency.ts'
export { readEach } from './errors.ts'
export { pageOfScan } from './scanned-page.ts'

// Adapters store entries and auctions in any form, with `storedVersion`, and parse them with the two functions below.
// The schemas of the fields are next to their types, in `auction/`.

/** The version of stored auctions and entries. Reads refuse other versions. */
export const storedVersion = 1

const Version = v.literal(storedVersion)
const AuctionData = v.object({ version: Version, ...AuctionFields.entries })
const KeyData = v.object({ requestKey: StoredRequestKey })
const EntryData = v.object({ version: Version, ...EntryFields.entries })

/** The input of `parseStoredAuction`. */
export type AuctionRow = v.InferInput<typeof AuctionData>

/**
 * Parses a stored entry, with its `version`.
 * @throws UnreadableStoredError that names the entry and its first invalid field
 */
export function parseStoredEntry(data: unknown): Entry {
  const { version: _, ...entry } = parsed(EntryData, data, 'entry')
  return entry
}

/** Parses a stored auction, without its `requestKey`. @throws UnreadableStoredError like `parseStoredEntry` */
export function parseStoredAuction(data: unknown): Auction {
  const { version: _, ...auction } = parsed(AuctionData, data, 'auction')
  return auction
}

/** Adds its stored key, if any, to a parsed auction. @throws UnreadableStoredError like `parseStoredEntry` */
export function foundAuction(auction: ListedAuction, requestKey: unknown): FoundAuction {
  if (requestKey === undefined || requestKey === null) return { auction }
  return { auction, requestKey: parsed(KeyData, { id: auction.id, requestKey }, 'auction').requestKey }
}

export function withoutKey({ requestKey: _, ...auction }: StoredAuction): Auction {
  return auction
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  data: unknown,
  kind: UnreadableStoredError['kind'],
): v.InferOutput<Schema> {
  const result = parseFirst(schema, data)
  if (result.ok) return result.value
  const { field, rule } = result.refusal
  const part = field === undefined ? 'an invalid form' : `an invalid field ${field}`
  throw new UnreadableStoredError(kind, Object(data), `${part}: ${rule}`)
}
