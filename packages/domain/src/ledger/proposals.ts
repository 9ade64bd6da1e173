import type { IdSource } from '../store/ids-from-blocks.ts'
import type { EntryId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { accepted, type Result } from '../values/result.ts'
import type { CachedLedger, DecisionOf, EventOf, GuardedHead, LedgerKind, LedgerTypes, RefusalOf } from './kind.ts'
import { fail, keyTaken, type PendingCommand } from './pending-command.ts'
import { type KeyContext, refuse } from './settle-by-key.ts'

/** The ids of entries. */
export type EntryIds = IdSource<EntryId> & { readonly nextScattered: () => EntryId | Promise<EntryId> }

export type ProposalContext<Kind extends LedgerTypes> = KeyContext<Kind> & {
  readonly kind: LedgerKind<Kind>
  readonly ids: EntryIds
}

/**
 * A head that is `confirmed` was read, or stored, since the round began: only then is a refusal that depends on the
 * state valid. An acceptance may follow from any head: if others have appended since, the append finds the key taken.
 */
export type Confirmation = 'unconfirmed' | 'confirmed'

/** An accepted command, with the entry that would record it. */
export type Proposal<Kind extends LedgerTypes> = {
  readonly pending: PendingCommand<Kind>
  readonly entry: Kind['entry']
}

/** The last entry, or the proposed one, after which a command is decided. */
type Last<Kind extends LedgerTypes> = GuardedHead<Kind> & Pick<CachedLedger<Kind>, 'atMs'>

/**
 * Decides each command on the state after the previous ones, and refuses those with a certain refusal. The commands
 * that remain need a confirmed head for their refusal, or have the key of a command that is just proposed.
 */
export async function proposeEntries<Kind extends LedgerTypes>(
  context: ProposalContext<Kind>,
  round: readonly PendingCommand<Kind>[],
  head: CachedLedger<Kind>,
  confirmation: Confirmation,
): Promise<readonly Proposal<Kind>[]> {
  const { kind } = context
  const { terms } = head
  const isConfirmed = confirmation === 'confirmed'
  const proposals: Proposal<Kind>[] = []
  const keys = new Set<RequestKey>()
  let last: Last<Kind> = { ...head, isConfirmed }
  for (const pending of round) {
    const { command, requestKey } = pending
    if (pending.state.step === 'settled') continue
    if (requestKey !== undefined && keys.has(requestKey)) {
      pending.state = keyTaken
      continue
    }
    const decision = decideAfter(kind, last, pending)
    if (decision === undefined) continue
    if (!decision.ok) {
      const followsFromHead = isConfirmed && proposals.length === 0
      if (followsFromHead || kind.isFinal(decision.refusal, command)) refuse(context, pending, decision.refusal)
      continue
    }
    const { event, atMs } = decision.value
    const next = nextId(context, event, terms)
    const id = typeof next === 'number' ? next : await next
    const recording = { id, sequence: last.sequence + 1, atMs, event }
    const entry = kind.entryOf(terms, last.state, requestKey === undefined ? recording : { ...recording, requestKey })
    proposals.push({ pending, entry })
    if (requestKey !== undefined) keys.add(requestKey)
    last = { terms, isConfirmed, sequence: recording.sequence, atMs, state: entry.state }
  }
  return proposals
}

function nextId<Kind extends LedgerTypes>(
  { kind, ids }: ProposalContext<Kind>,
  event: EventOf<Kind>,
  terms: Kind['terms'],
): EntryId | Promise<EntryId> {
  if (kind.hasScatteredIds?.(terms)) return ids.nextScattered()
  return kind.idsOf(event, terms) === 2 ? ids.nextPair() : ids.next()
}

/**
 * Refuses the commands of a round that a confirmed head rules out, each as if it were the next one. The others, which
 * may be accepted, wait for the turn of the lane.
 */
export function refuseOnHead<Kind extends LedgerTypes>(
  context: Omit<ProposalContext<Kind>, 'ids'>,
  round: readonly PendingCommand<Kind>[],
  head: CachedLedger<Kind>,
): void {
  for (const pending of round) {
    if (pending.state.step !== 'waiting') continue
    const decision = decideAfter(context.kind, { ...head, isConfirmed: true }, pending)
    if (decision?.ok === false) refuse(context, pending, decision.refusal)
  }
}

type TimedEvent<Kind extends LedgerTypes> = { readonly event: EventOf<Kind>; readonly atMs: number }

/**
 * Decides a command. Undefined if its guard waits for another head, or an unexpected error has failed it, and no other.
 */
function decideAfter<Kind extends LedgerTypes>(
  kind: LedgerKind<Kind>,
  last: Last<Kind>,
  pending: PendingCommand<Kind>,
): Result<TimedEvent<Kind>, RefusalOf<Kind>> | undefined {
  const { command, arrivedAtMs, requestKey, guard } = pending
  const { terms, state } = last
  let { atMs } = last
  const byRules = (ruled = command) => {
    // The time by the rules, or that of the last entry, if that is later.
    atMs = Math.max(kind.timeOf(terms, state, ruled, arrivedAtMs), last.atMs)
    return kind.decide(terms, state, ruled, atMs)
  }
  let decision: DecisionOf<Kind> | undefined
  try {
    decision = guard === undefined ? byRules() : guard.decide(last, byRules)
  } catch (error) {
    fail(pending, error)
  }
  if (decision === undefined) return undefined
  if (decision.ok) return accepted({ event: decision.value, atMs })
  const event = requestKey === undefined ? undefined : kind.eventForKey(decision.refusal)
  return event === undefined ? decision : accepted({ event, atMs })
}
