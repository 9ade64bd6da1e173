import type { Entry } from '../auction/entry.ts'
import type { FixedLimits } from '../limits.ts'
import type { Conflict } from '../observer.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import { accepted, refused } from '../values/result.ts'
import { type CachedAuction, cachedAt } from './cached-auction.ts'
import { fail, isKeyed, keyTaken, settle, type Write, waiting } from './pending-command.ts'
import type { Proposal } from './proposals.ts'
import { type WriteContext, type Written, writeEntries } from './write.ts'

export type RecordingContext = WriteContext & {
  readonly limits: Pick<FixedLimits, 'maxConflicts' | 'maxTries'>
  /** Called after each write of these entries. */
  readonly onWritten: (written: Written, entries: readonly Entry[]) => void
}

/** What a lane learns from an append. */
export type Recorded =
  | { readonly outcome: 'stored'; readonly head: CachedAuction }
  /** Another process was first, or the request of a key was made before, here or elsewhere. */
  | { readonly outcome: 'conflict'; readonly head: CachedAuction; readonly over: Conflict['over'] }
  /** The outcome is unknown, or all callers stopped waiting. The head has to be read. */
  | { readonly outcome: 'unknown' }

/** Appends the proposals, and settles their commands by the outcome. Those that are not settled have changed nothing. */
export async function record(
  context: RecordingContext,
  { terms, sequence }: CachedAuction,
  proposals: readonly Proposal[],
  isContended: boolean,
): Promise<Recorded> {
  const { onWritten } = context
  const entries = proposals.map(({ entry }) => entry)
  const signal: Write = { step: 'writing', awaited: proposals.length, aborted: false }
  for (const { pending } of proposals) pending.state = signal
  const written = await writeEntries(context, entries, { isContended, signal })
  onWritten(written, entries)
  const others = settleStored(proposals, written.stored)
  switch (written.outcome) {
    case 'stored':
      return { outcome: 'stored', head: cachedAt(terms, entries.at(-1)) }
    case 'taken': {
      const head = cachedAt(terms, written.head)
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
      written.outcome satisfies 'withdrawn' // Its commands have failed.
      return { outcome: 'unknown' }
  }
}

/** Settles the commands whose entries are stored. Returns the others. */
function settleStored(proposals: readonly Proposal[], stored: number): readonly Proposal[] {
  for (const { pending, entry } of proposals.slice(0, stored)) settle(pending, accepted(entry))
  return proposals.slice(stored)
}

/** Commands that met a conflict are decided again on the new head, unless they have met too many. */
function settleConflicting(
  { limits, observer }: RecordingContext,
  proposals: readonly Proposal[],
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
