import type { Limits } from '../limits.ts'
import { type Conflict, notifySafely, type SafeObserver } from '../observer.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { AppendOptions, CallSignal, Store } from '../store/store.ts'
import type { EntryId } from '../values/ids.ts'
import { accepted, refused } from '../values/result.ts'
import type { LedgerEntry } from './entry.ts'
import { type CachedLedger, cachedAt, type LedgerKind, type LedgerTypes } from './kind.ts'
import { fail, isKeyed, keyTaken, settle, type Write, waiting } from './pending-command.ts'
import type { Proposal } from './proposals.ts'
import { type Settled, sendUntilSettled } from './settled-write.ts'

export type RecordingContext<Kind extends LedgerTypes> = WriteContext<Kind['entry']> & {
  readonly kind: LedgerKind<Kind>
  readonly limits: Pick<Limits, 'maxConflicts' | 'maxTries'>
  /** Called after each write of these entries, which were decided on this head. Its errors are ignored. */
  readonly onWritten: (
    written: Written<Kind['entry']>,
    entries: readonly Kind['entry'][],
    head: CachedLedger<Kind>,
  ) => void
}

/** What a lane learns from an append. */
export type Recorded<Kind extends LedgerTypes> =
  | { readonly outcome: 'stored'; readonly head: CachedLedger<Kind> }
  /** Another process was first, or the request of a key was made before, here or elsewhere. */
  | { readonly outcome: 'conflict'; readonly head: CachedLedger<Kind>; readonly over: Conflict['over'] }
  /** The outcome is unknown, or all callers stopped waiting. The head has to be read. */
  | { readonly outcome: 'unknown' }

/**
 * Appends the proposals, and settles their commands by the outcome. Those that are not settled have changed nothing.
 */
export async function record<Kind extends LedgerTypes>(
  context: RecordingContext<Kind>,
  before: CachedLedger<Kind>,
  proposals: readonly Proposal<Kind>[],
  isContended: boolean,
): Promise<Recorded<Kind>> {
  const { kind, onWritten } = context
  const { terms, sequence } = before
  const entries = proposals.map(({ entry }) => entry)
  const signal: Write = { step: 'writing', awaited: proposals.length, aborted: false }
  for (const { pending } of proposals) pending.state = signal
  const written = await writeEntries(context, entries, { isContended, signal })
  notifySafely(() => onWritten(written, entries, before))(undefined)
  const others = settleStored(proposals, written.stored)
  switch (written.outcome) {
    case 'stored':
      return { outcome: 'stored', head: cachedAt(kind, terms, entries.at(-1)) }
    case 'taken': {
      const head = cachedAt(kind, terms, written.head)
      // If the sequence was free, the key was taken.
      const over = head.sequence <= sequence + written.stored ? 'request-key' : 'sequence'
      settleConflicting(context, others, over)
      return { outcome: 'conflict', head, over }
    }
    case 'unknown': {
      const reason = 'the store did not report the outcome of a write'
      const error = new StoreUnavailableError(reason, { cause: written.error, outcome: 'unknown' })
      for (const { pending } of others) fail(pending, error)
      return { outcome: 'unknown' }
    }
    default:
      written.outcome satisfies 'abandoned' // Its commands have failed.
      return { outcome: 'unknown' }
  }
}

/** Settles the commands whose entries are stored. Returns the others. */
function settleStored<Kind extends LedgerTypes>(
  proposals: readonly Proposal<Kind>[],
  stored: number,
): readonly Proposal<Kind>[] {
  for (const { pending, entry } of proposals.slice(0, stored)) settle(pending, accepted(entry))
  return proposals.slice(stored)
}

/** Commands that met a conflict are decided again on the new head, unless they have met too many. */
function settleConflicting<Kind extends LedgerTypes>(
  { limits, observer }: RecordingContext<Kind>,
  proposals: readonly Proposal<Kind>[],
  over: Conflict['over'],
): void {
  observer?.onConflict({ over, commands: proposals.length })
  for (const { pending } of proposals) {
    pending.conflicts += 1
    if (pending.conflicts > limits.maxConflicts) settle(pending, refused({ code: 'overloaded' }))
    else if (pending.state.step === 'writing')
      pending.state = over === 'request-key' && isKeyed(pending) ? keyTaken : waiting
  }
}

/** The outcome of an append. */
export type Written<Entry extends LedgerEntry> = Settled & {
  /** After a taken key: the ledger's last entry. */
  readonly head: Entry | undefined
}

type WriteContext<Entry extends LedgerEntry> = {
  readonly store: Pick<Store<Entry>, 'append' | 'findEntries' | 'findHeads'>
  readonly limits: Pick<Limits, 'maxTries'>
  readonly observer: SafeObserver | undefined
}

type WriteOptions = AppendOptions & { readonly signal: CallSignal }

/** Appends at least one entry of one ledger, and determines the outcome. */
async function writeEntries<Entry extends LedgerEntry>(
  context: WriteContext<Entry>,
  entries: readonly Entry[],
  options: WriteOptions,
): Promise<Written<Entry>> {
  const { store, limits, observer } = context
  let head: Entry | undefined
  const settled = await sendUntilSettled(
    { maxTries: limits.maxTries, observer },
    {
      what: 'entries',
      count: entries.length,
      send: (from) => append(context, entries.slice(from), options),
      findOwn: (from) => countOwn(store, entries.slice(from)),
      async findOwnBehindTakenKey(from) {
        const rest = entries.slice(from)
        const [next] = rest
        if (next === undefined) return 0
        ;[head] = await store.findHeads([next.auctionId])
        return mayBeOwn(head, next) ? countOwn(store, rest) : 0
      },
      signal: options.signal,
    },
  )
  return { ...settled, head }
}

async function append<Entry extends LedgerEntry>(
  { store, observer }: WriteContext<Entry>,
  entries: readonly Entry[],
  options: WriteOptions,
): Promise<number> {
  const end = observer?.onAppend({ entries })
  try {
    const stored = await store.append(entries, options)
    end?.(stored === entries.length ? { outcome: 'stored' } : { outcome: 'conflict', stored })
    return stored
  } catch (error) {
    end?.({ outcome: 'failed', error })
    throw error
  }
}

/** A head with the sequence of an entry identifies the writer. A later head may follow the entry or another one. */
const mayBeOwn = (head: LedgerEntry | undefined, next: LedgerEntry): boolean =>
  head !== undefined && head.sequence >= next.sequence && (head.sequence > next.sequence || head.id === next.id)

/** The number of stored entries, from the first, of one ledger. */
async function countOwn<Entry extends LedgerEntry>(
  { findEntries }: Pick<Store<Entry>, 'findEntries'>,
  entries: readonly Entry[],
): Promise<number> {
  const auctionIds = entries.slice(0, 1).map(({ auctionId }) => auctionId)
  const found = await findEntries(
    entries.map(({ id }) => id),
    { auctionIds },
  )
  const entryOf = new Map<EntryId, Entry>(found.map((entry) => [entry.id, entry]))
  const firstOther = entries.findIndex((entry) => !isSameEntry(entry, entryOf.get(entry.id)))
  return firstOther === -1 ? entries.length : firstOther
}

/** Whether two entries are the same. Ids are unique across processes. */
const isSameEntry = (a: LedgerEntry, b: LedgerEntry | undefined): boolean =>
  b !== undefined && a.id === b.id && a.auctionId === b.auctionId && a.sequence === b.sequence && a.atMs === b.atMs
