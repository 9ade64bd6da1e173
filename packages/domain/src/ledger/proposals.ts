import type { Terms } from '../auction/auction.ts'
import { needsLastEntry } from '../auction/closing.ts'
import { decide, isFinal, ledgerTimeMs } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import type { AuctionEvent } from '../auction/events.ts'
import { type AuctionState, evolve } from '../auction/state.ts'
import type { IdSource } from '../store/ids-from-blocks.ts'
import type { Store } from '../store/store.ts'
import type { BidId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import type { CachedAuction } from './cached-auction.ts'
import { fail, keyTaken, type PendingCommand } from './pending-command.ts'
import { refuse } from './settle-by-key.ts'

export type ProposalContext = {
  readonly store: Pick<Store, 'findEntriesByKey'>
  readonly ids: IdSource<BidId>
}

/**
 * A head that is `confirmed` was read, or stored, since the round began: only then is a refusal that depends on the state valid. An
 * acceptance may follow from any head: if others have appended since, the append finds the key taken.
 */
export type Confirmation = 'unconfirmed' | 'confirmed'

/** An accepted command, with the entry that would record it. */
export type Proposal = { readonly pending: PendingCommand; readonly entry: Entry }

/** The decisions of a round so far. */
type Decided = {
  /** The terms as they were created. */
  readonly terms: Terms
  /** The sequence of the head. */
  readonly sequence: number
  readonly confirmation: Confirmation
  readonly proposals: Proposal[]
  /** The time of the last proposal, or that of the head. */
  atMs: number
  /** The state after the proposals, and their keys. */
  state: AuctionState
  keys: Set<RequestKey | undefined> | undefined
}

/**
 * Decides each command on the state after the previous ones, and refuses those with a certain refusal. The commands that remain need
 * a confirmed head for their refusal, or have the key of a command that is just proposed.
 */
export async function proposeEntries(
  context: ProposalContext,
  round: readonly PendingCommand[],
  { terms, sequence, atMs, state }: CachedAuction,
  confirmation: Confirmation,
): Promise<readonly Proposal[]> {
  const { ids } = context
  const decided: Decided = {
    terms,
    sequence,
    confirmation,
    proposals: [],
    atMs,
    state,
    keys: undefined,
  }
  for (const pending of round) {
    const event = decideNext(context, decided, pending)
    if (event === undefined) continue
    // An automatic bid needs an id as well.
    const next = 'automatic' in event ? ids.nextPair() : ids.next()
    propose(decided, pending, event, typeof next === 'number' ? next : await next)
  }
  return decided.proposals
}

/** Decides a command. Returns its event, if it is accepted. */
function decideNext(context: ProposalContext, decided: Decided, pending: PendingCommand): AuctionEvent | undefined {
  const { terms, sequence, confirmation, proposals, state, keys } = decided
  const { command, requestKey } = pending
  if (pending.state.step === 'settled') return undefined
  if (keys?.has(requestKey)) {
    pending.state = keyTaken
    return undefined
  }
  if (pending.prepare !== undefined && pending.preparedFor !== sequence) return undefined
  // An append that is not necessary would cause a conflict.
  if (confirmation === 'unconfirmed' && needsLastEntry(terms, command)) return undefined
  const atMs = timeOf(pending, decided)
  let decision: ReturnType<typeof decide>
  try {
    decision = decide(terms, state, command, atMs)
  } catch (error) {
    fail(pending, error) // An unexpected error fails the command that caused it, and no other.
    return undefined
  }
  if (decision.ok) return decision.value
  const followsFromHead = confirmation === 'confirmed' && proposals.length === 0
  if (followsFromHead || isFinal(decision.refusal)) refuse(context.store, pending, decision.refusal)
  return undefined
}

/**
 * Refuses the commands of a round that a confirmed head rules out, each as if it were the next one. The others, which may be accepted,
 * wait for the turn of the lane.
 */
export function refuseOnHead(
  { store }: Pick<ProposalContext, 'store'>,
  round: readonly PendingCommand[],
  { terms, atMs: headAtMs, state }: CachedAuction,
): void {
  for (const pending of round) {
    if (pending.state.step !== 'waiting' || pending.prepare !== undefined) continue
    const { command } = pending
    try {
      const decision = decide(terms, state, command, timeOf(pending, { terms, state, atMs: headAtMs }))
      if (!decision.ok) refuse(store, pending, decision.refusal)
    } catch (error) {
      fail(pending, error)
    }
  }
}

/** The time of a command by the rules, or that of the entry before it, if that is later. */
const timeOf = (
  { command, arrivedAtMs }: PendingCommand,
  { terms, state, atMs }: Pick<Decided, 'terms' | 'state' | 'atMs'>,
): number => Math.max(ledgerTimeMs(terms, state, command, arrivedAtMs), atMs)

function propose(decided: Decided, pending: PendingCommand, event: AuctionEvent, id: BidId): void {
  const { terms, proposals } = decided
  const { requestKey } = pending
  const atMs = timeOf(pending, decided)
  const sequence = decided.sequence + proposals.length + 1
  const state = evolve(decided.state, { id, sequence, atMs, event })
  const fields = { id, auctionId: terms.id, sequence, atMs, currency: terms.currency, event, state }
  proposals.push({ pending, entry: requestKey === undefined ? fields : { ...fields, requestKey } })
  decided.atMs = atMs
  decided.state = state
  if (requestKey !== undefined) decided.keys = (decided.keys ?? new Set()).add(requestKey)
}
