import type { Auction } from '@auction/domain/auction/auction'
import { earliestEndMs, latestEndMs } from '@auction/domain/auction/ends'
import type { Entry } from '@auction/domain/ledger/entry'
import type { StoredAuction } from '@auction/domain/store'
import { auctionVersionOf, entryVersionOf, parseStoredAuction, parseStoredEntry } from '@auction/domain/stored'
import { integer, type Row } from './values.ts'

/** The columns that `rowOfAuction` fills. */
export const insertedAuctionColumns =
  'id, requestKey, ownerId, productId, createdAtMs, startMs, endMs, earliestEndMs, latestEndMs, data'

export function rowOfAuction(auction: StoredAuction): Row {
  const { id, requestKey, ownerId, productId, createdAtMs, ...rest } = auction
  const { buyNowPriceMinor, softClose } = rest
  return [
    integer(id),
    requestKey ?? null,
    integer(ownerId),
    integer(productId),
    integer(createdAtMs),
    integer(rest.startTime.epochMs),
    integer(rest.endTime.epochMs),
    buyNowPriceMinor === undefined ? null : integer(earliestEndMs(rest)),
    softClose === undefined ? null : integer(latestEndMs(rest)),
    JSON.stringify({ version: auctionVersionOf(auction), ...rest }),
  ]
}

/** The columns that `parseAuction` takes. */
export const auctionColumns = 'id, ownerId, productId, createdAtMs, data'

/** @throws Error that names the row and its faulty field, when somebody else wrote it */
export const parseAuction = ([id, ownerId, productId, createdAtMs, data]: Row): Auction =>
  parseStoredAuction({ id, ownerId, productId, createdAtMs, ...fieldsOf('auction', id, data) })

/** The columns that `rowOfEntry` fills. */
export const insertedEntryColumns = 'id, auctionId, sequence, requestKey, data'

export const rowOfEntry = ({ id, auctionId, sequence, requestKey, atMs, currency, event, state }: Entry): Row => [
  integer(id),
  integer(auctionId),
  integer(sequence),
  requestKey ?? null,
  JSON.stringify({ version: entryVersionOf({ event, state }), atMs, currency, event, state }),
]

/** What `parseEntry` takes. The first patches of Node.js 24 cut a text that they read at a NUL; as JSON it has none. */
export const entryColumns = 'id, auctionId, sequence, json_quote(requestKey), data'

/** @throws Error that names the row and its faulty field, when somebody else wrote it */
export function parseEntry([id, auctionId, sequence, quotedKey, data]: Row): Entry {
  const requestKey: unknown = JSON.parse(String(quotedKey))
  const fields = { id, auctionId, sequence, ...fieldsOf('entry', id, data) }
  return parseStoredEntry(requestKey === null ? fields : { ...fields, requestKey })
}

function fieldsOf(kind: string, id: unknown, data: unknown): object {
  try {
    return Object(JSON.parse(String(data)))
  } catch (cause) {
    throw new Error(`the stored ${kind} ${id} has a faulty field data: it is no JSON text`, { cause })
  }
}
