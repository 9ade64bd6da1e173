import { type BidderList, createBidderList } from '../register/bidder-list.ts'
import { directoryLedger, registersDirectoryId } from '../register/directory.ts'
import type { DirectoryEntry, RegisterEntry } from '../register/events.ts'
import { type RegisterNotFound, registerLedger, type SetBiddersCommand, sentIn } from '../register/register-ledger.ts'
import type { Store } from '../store/store.ts'
import { ledgerIdOf, type RegisterId } from '../values/ids.ts'
import type { Currency } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { requireId } from './check-arguments.ts'
import { readLedger } from './read-ledger.ts'
import { type Verification, verifyLedger } from './verify-ledger.ts'

type VerifiedStore = Pick<Store, 'findHeads' | 'listEntries'>
type StoreOf<Entry extends RegisterEntry | DirectoryEntry> = Pick<Store<Entry>, 'findHeads' | 'listEntries'>

// The casts: the directory and the ledgers that it lists have entries of their kind.
const directoryIn = (store: VerifiedStore) =>
  store as Pick<Store<never>, keyof VerifiedStore> as StoreOf<DirectoryEntry>
const registersIn = (store: VerifiedStore) => store as Pick<Store<never>, keyof VerifiedStore> as StoreOf<RegisterEntry>

/** The lines of the directory of registers at the time of the call, oldest first. */
export async function* listDirectory(store: VerifiedStore): AsyncGenerator<DirectoryEntry> {
  const [head] = await directoryIn(store).findHeads([registersDirectoryId])
  yield* readLedger(directoryIn(store), registersDirectoryId, head?.sequence ?? 0)
}

/** Verifies the directory of registers, as `verifyAuction` does an auction. */
export async function verifyDirectory(store: VerifiedStore): Promise<Verification> {
  const [head] = await directoryIn(store).findHeads([registersDirectoryId])
  const last = head?.sequence ?? 0
  const lines = readLedger(directoryIn(store), registersDirectoryId, last)
  const terms = { id: registersDirectoryId }
  return verifyLedger(directoryLedger, lines, terms, last, (_, { event }) => ({ ...event, type: 'list' as const }))
}

/**
 * Verifies the ledger of a register, as `verifyAuction` does that of an auction. Its first entry is that of its line in
 * the directory, and each change of bidders is decided again on the bidders before it.
 * @param line the line of the register, if the caller has it from `listDirectory`
 * @throws as `verifyAuction`
 */
export async function verifyRegister(
  store: VerifiedStore,
  registerId: RegisterId,
  line?: DirectoryEntry,
): Promise<Result<Verification, RegisterNotFound>> {
  requireId(registerId, 'id of a verified register')
  const { event: listed } = line ?? (await lineOf(store, registerId)) ?? {}
  if (listed === undefined) return refused({ code: 'register-not-found', registerId })
  const registers = registersIn(store)
  const terms = { id: ledgerIdOf(registerId) }
  const [head] = await registers.findHeads([terms.id])
  const last = Math.max(head?.sequence ?? 0, 1)
  const { register, editor, createdAtMs } = listed
  const list = createBidderList()
  let previous: RegisterEntry | undefined
  let first: RegisterEntry | undefined
  const entries = readLedger(registers, terms.id, last)
  const verified = await verifyLedger(registerLedger, entries, terms, last, (_, entry) => {
    first ??= entry
    // It is verified, so it follows.
    if (previous !== undefined) list.add(previous)
    previous = entry
    return entry === first
      ? ({ type: 'create', register, editor } as const)
      : setBidders(entry, register.currency, list)
  })
  if (verified.difference !== undefined || first?.atMs === createdAtMs) return accepted(verified)
  const sides = { recorded: { atMs: first?.atMs }, recomputed: { atMs: createdAtMs } }
  return accepted({ entries: 0, difference: { sequence: 1, ...sides } })
}

/** The command that an entry records. A second creation has no bidders, which the rules refuse. */
function setBidders({ event }: RegisterEntry, currency: Currency, list: BidderList): SetBiddersCommand {
  const changes = event.type === 'bidders-set' ? sentIn(event, currency) : { bidders: [] }
  return { type: 'set-bidders', ...changes, currency, editor: event.editor, list }
}

async function lineOf(store: VerifiedStore, registerId: RegisterId): Promise<DirectoryEntry | undefined> {
  for await (const line of listDirectory(store)) if (line.event.registerId === registerId) return line
  return undefined
}
