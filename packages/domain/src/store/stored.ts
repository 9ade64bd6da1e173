import * as v from 'valibot'
import type { Auction, ListedAuction } from '../auction/auction.ts'
import { entryFieldsOf } from '../auction/entry.ts'
import { type FormatName, formats, versionOf } from '../auction/formats/formats.ts'
import { directoryEntryFields } from '../ledger/directory-entry.ts'
import { EarlierRegisterListed, RegisterEntryFields, RegisterListed } from '../register/events.ts'
import { SaleEntryFields, SaleListed } from '../sale/events.ts'
import { parseFirst } from '../values/parsing.ts'
import { StoredRequestKey } from '../values/request-key.ts'
import { UnreadableStoredError } from './errors.ts'
import type { AnyEntry, Entry, FoundAuction, StoredAuction } from './store.ts'

export { StoredCurrency } from '../values/currency.ts'
export { readEach } from './errors.ts'
export { pageOfScan } from './scanned-page.ts'

// Adapters store auctions in any form with their `versionOfAuction`, and entries with their `versionOfEntry`, and parse
// them with the two functions below. The schemas of the fields are next to their types, in `auction/`.

/** The version of a stored auction. Reads refuse versions that they do not know. */
export const versionOfAuction: (auction: ListedAuction) => number = versionOf

/** The version of a stored entry: that of its auction. Entries of other kinds of ledgers have the second one. */
export const versionOfEntry = (entry: AnyEntry): number => (entry.kind === undefined ? (entry.state.version ?? 1) : 2)

const Version = v.picklist([1, 2])
const KeyData = v.object({ requestKey: StoredRequestKey })

const dataOf = (name: FormatName) => ({
  auction: v.object({ version: Version, ...formats[name].stored.auction.entries }),
  entry: v.object({ version: Version, ...entryFieldsOf(name) }),
})

/** The schemas of each format. The cast: they are made of the table of formats. */
const data = Object.fromEntries(Object.keys(formats).map((name) => [name, dataOf(name as FormatName)])) as Readonly<
  Record<FormatName, ReturnType<typeof dataOf>>
>

/** The schemas of the format that data names; the absent name is English. */
function schemasOf(named: unknown, path: string, given: unknown, kind: UnreadableStoredError['kind']) {
  const { format = 'english' }: { readonly format?: unknown } = Object(named)
  if (typeof format === 'string' && Object.hasOwn(data, format)) return data[format as FormatName] // Checked before.
  throw new UnreadableStoredError(kind, Object(given), `an invalid field ${path}: it is not a known format`)
}

/** Refuses the second version without a member that this program knows to need it: it has one of a later program. */
function refuseUnless(isRight: boolean, kind: UnreadableStoredError['kind'], given: unknown): void {
  if (!isRight)
    throw new UnreadableStoredError(kind, Object(given), 'an invalid field version: no other field needs it')
}

/** The input of `parseStoredAuction` for an English auction. */
export type AuctionRow = v.InferInput<(typeof formats)['english']['stored']['auction']> & { readonly version: 1 | 2 }

/**
 * Parses a stored entry, with its `version`.
 * @throws UnreadableStoredError that names the entry and its first invalid field
 */
export function parseStoredEntry(given: unknown): Entry {
  const { kind } = Object(given)
  if (kind !== undefined) return parseOfKind(kind, given)
  const { entry: schema } = schemasOf(Object(given).state, 'state.format', given, 'entry')
  const { version, ...entry } = parsed(schema, given, 'entry')
  refuseUnless(version === versionOfEntry(entry), 'entry', given)
  return entry
}

const Lines = v.variant('type', [RegisterListed, EarlierRegisterListed, SaleListed])

/** The schemas of the entries of other kinds of ledgers. A new kind has a row here. */
const kinds = {
  register: v.object({ version: v.literal(2), ...RegisterEntryFields.entries }),
  sale: v.object({ version: v.literal(2), ...SaleEntryFields.entries }),
  directory: v.object({ version: v.literal(2), ...directoryEntryFields(Lines).entries }),
}

function parseOfKind(kind: unknown, given: unknown): Entry {
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind))
    throw new UnreadableStoredError('entry', Object(given), 'an invalid field kind: it is not a known kind of ledger')
  const { version: _, ...entry } = parsed(kinds[kind as keyof typeof kinds], given, 'entry') // Checked before.
  // The cast: who reads the ledger of a register knows its kind by its id.
  return entry as AnyEntry as Entry
}

/** Parses a stored auction, without its `requestKey`. @throws UnreadableStoredError like `parseStoredEntry` */
export function parseStoredAuction(given: unknown): Auction {
  const { auction: schema } = schemasOf(given, 'format', given, 'auction')
  const { version, ...auction } = parsed(schema, given, 'auction')
  refuseUnless(version === versionOf(auction), 'auction', given)
  return auction as Auction // Its schema is that of the format.
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
