import { directoryIds, directoryLedger } from '../ledger/directory.ts'
import type { DirectoryEntry, Line } from '../ledger/directory-entry.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { LedgerKind, LedgerTypes } from '../ledger/kind.ts'
import type { RegisterListed } from '../register/events.ts'
import type { SaleListed } from '../sale/events.ts'
import type { Store } from '../store/store.ts'
import { toAuctionId } from '../values/ids.ts'
import { readLedger } from './read-ledger.ts'
import { type Verification, verifyLedger } from './verify-ledger.ts'

// What the verification of the ledgers of registers and of sales shares.

export type VerifiedStore = Pick<Store, 'findHeads' | 'listEntries'>

type Lines = { readonly registers: RegisterListed; readonly sales: SaleListed }
type DirectoryName = keyof typeof directoryIds

/** The store of the entries of another kind. The cast: the caller knows the kind of a ledger by its id. */
export const storeOf = <Entry extends LedgerEntry>(store: VerifiedStore) =>
  store as Pick<Store<never>, keyof VerifiedStore> as Pick<Store<Entry>, keyof VerifiedStore>

async function readDirectory<Name extends DirectoryName>(store: VerifiedStore, name: Name) {
  const id = directoryIds[name]
  const directory = storeOf<DirectoryEntry<Lines[Name]>>(store)
  const [head] = await directory.findHeads([id])
  const last = head?.sequence ?? 0
  return { terms: { id }, last, entries: readLedger(directory, id, last) }
}

/** The lines of a directory at the time of the call, oldest first. */
export async function* listDirectory<Name extends DirectoryName>(
  store: VerifiedStore,
  name: Name,
): AsyncGenerator<Lines[Name]> {
  const { entries } = await readDirectory(store, name)
  for await (const { event } of entries) yield event
}

/** The line with this id. */
export async function findLine<Name extends DirectoryName>(
  store: VerifiedStore,
  name: Name,
  id: number,
): Promise<Lines[Name] | undefined> {
  for await (const line of listDirectory(store, name)) if (line.id === id) return line
  return undefined
}

/** Verifies a directory, as `verifyAuction` does an auction. */
export async function verifyDirectory(store: VerifiedStore, name: DirectoryName): Promise<Verification> {
  const { terms, last, entries } = await readDirectory(store, name)
  return verifyLedger(directoryLedger<Line>(), entries, terms, last, (_, { event }) => ({
    type: 'list' as const,
    line: event,
  }))
}

type ListedKind = LedgerTypes & { readonly terms: { readonly id: ReturnType<typeof toAuctionId> } }

/**
 * Verifies a ledger that a directory lists: its first entry is that of its line.
 * @param fold has all entries afterwards, unless there is a difference
 * @param commandOf returns the command that an entry records, with all entries before it added to its fold
 */
export async function verifyListed<Kind extends ListedKind>(
  kind: LedgerKind<Kind>,
  store: VerifiedStore,
  { id, createdAtMs }: Line,
  fold: { add(entry: Kind['entry']): void },
  commandOf: (entry: Kind['entry'], isFirst: boolean) => Kind['command'],
): Promise<Verification> {
  const ledgers = storeOf<Kind['entry']>(store)
  const terms = { id: toAuctionId(id) }
  const [head] = await ledgers.findHeads([terms.id])
  const last = Math.max(head?.sequence ?? 0, 1)
  let previous: Kind['entry'] | undefined
  let firstMs: number | undefined
  const entries = readLedger(ledgers, terms.id, last)
  const verified = await verifyLedger(kind, entries, terms, last, (_, entry) => {
    const isFirst = previous === undefined
    if (isFirst) firstMs = entry.atMs
    // It is verified, so it follows.
    if (previous !== undefined) fold.add(previous)
    previous = entry
    return commandOf(entry, isFirst)
  })
  if (verified.difference === undefined && previous !== undefined) fold.add(previous)
  if (verified.difference !== undefined || firstMs === createdAtMs) return verified
  const sides = { recorded: { atMs: firstMs }, recomputed: { atMs: createdAtMs } }
  return { entries: 0, difference: { sequence: 1, ...sides } }
}
