import type { ListedAuction } from '@auction/domain/auction'
import { UnreadableStoredError } from '@auction/domain/errors'
import { bidderOf, type Entry, firstStage, listKeys, numberOfStage, type StoredAuction } from '@auction/domain/store'
import { parseStoredAuction, parseStoredEntry, versionOfAuction, versionOfEntry } from '@auction/domain/stored'

// SQL stores have columns for what they search, and JSON for all other members, whatever these are. Columns have the
// names of the domain here.

type Value = string | number | null

/** The columns of a new auction. `stage`, `stageMs` and `corrections` are its position on the agenda. */
export const auctionColumns = [
  ...(['id', 'requestKey', ...listKeys, 'createdAtMs'] as const),
  ...(['stage', 'stageMs', 'corrections', 'data', 'description'] as const),
]

/** The columns of an auction in a list, without the description, which may be long. */
export const listedColumns = ['id', ...listKeys, 'createdAtMs', 'data'] as const

/** The values of the `auctionColumns`. The description, which lists do not read, is JSON apart from the other fields. */
export function valuesOfAuction(auction: StoredAuction): readonly Value[] {
  const { id, requestKey, createdAtMs, description, ...others } = auction
  const { stage, timeMs } = firstStage(auction)
  const fields = Object.entries(others).filter(([name]) => !listKeys.some((key) => key === name))
  const data = JSON.stringify({ version: versionOfAuction(auction), ...Object.fromEntries(fields) })
  return [
    ...[id, requestKey ?? null, ...listKeys.map((key) => auction[key]), createdAtMs],
    ...[numberOfStage(stage), timeMs, 0, data, description === undefined ? null : JSON.stringify(description)],
  ]
}

type Columns = Readonly<Record<string, unknown>>

/** Parses the `listedColumns`. @throws UnreadableStoredError that names the row and the invalid field */
export const parseListed = ({ data, ...columns }: Columns): ListedAuction =>
  parseStoredAuction({ ...columns, ...Object(parseJson('auction', columns, 'data', data)) })

/** Parses a description, which is stored as JSON. @throws UnreadableStoredError that names the row */
export function parseDescription(id: number, text: unknown): string {
  const description = parseJson('auction', { id }, 'description', text)
  if (typeof description === 'string') return description
  throw new UnreadableStoredError('auction', { id }, 'an invalid field description: it is not a string')
}

/** The columns of an entry. Lists of a bidder's bids use `bidderId`, which is null for other entries. */
export const entryColumns = ['auctionId', 'sequence', 'id', 'atMs', 'requestKey', 'data', 'bidderId'] as const

/** The values of the `entryColumns`. */
export function valuesOfEntry(entry: Entry): readonly Value[] {
  const { auctionId, sequence, id, atMs, requestKey, ...others } = entry
  const data = JSON.stringify({ version: versionOfEntry(entry), ...others })
  return [auctionId, sequence, id, atMs, requestKey ?? null, data, bidderOf(entry) ?? null]
}

/** The members of a stored entry, with its version. @throws UnreadableStoredError if `data` is not JSON */
export function entryOf({ data, requestKey, ...columns }: Columns): Columns {
  const members = { ...columns, ...Object(parseJson('entry', columns, 'data', data)) }
  return requestKey == null ? members : { ...members, requestKey }
}

/** Parses the `entryColumns` but `bidderId`. @throws UnreadableStoredError that names the row and the invalid field */
export const parseEntryOf = (columns: Columns): Entry => parseStoredEntry(entryOf(columns))

/** @throws UnreadableStoredError that names the row and the column */
function parseJson(kind: 'auction' | 'entry', { id, auctionId }: Columns, column: string, text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    // The error has no cause, which would contain a part of the text and so perhaps a reserve or a maximum.
    const what = auctionId === undefined ? { id } : { id, auctionId }
    throw new UnreadableStoredError(kind, what, `an invalid field ${column}: it is not JSON`)
  }
}
