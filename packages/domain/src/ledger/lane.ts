import { type Terms, termsOf } from '../auction/auction.ts'
import { needsLastEntry } from '../auction/closing.ts'
import { type decide as decideByRules, isFinal } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import type { AuctionEvent } from '../auction/events.ts'
import { type AuctionState, evolve, initialState } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { IdSource } from '../store/ids-from-blocks.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailableError, withOutcome } from '../store/store-unavailable.ts'
import type { AuctionId, BidId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { accepted, refused } from '../values/result.ts'
import { afterBusy, afterConflict, afterStored, afterWaiting, type Contention, type Waiting } from './contention.ts'
import type { PaceKeeper } from './pace.ts'
import {
  type CommandRefusal,
  fail,
  isKeyed,
  type KeyedCommand,
  type PendingCommand,
  settle,
  type Write,
} from './pending-command.ts'
import { settleByKey } from './settle-by-key.ts'
import type { Written, writeEntries } from './write.ts'

/** The cached data of an auction: its terms, which never change, and the last entry that this process has read or stored. */
export type CachedAuction = {
  readonly terms: Terms
  readonly sequence: number
  /** The time of the last entry. That of the state is earlier if the entry only records the key of a repeated cancellation. */
  readonly atMs: number
  readonly state: AuctionState
}

/** The parts that all lanes of a process share. */
export type LaneContext = {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource<BidId>
  readonly limits: Limits
  readonly decide: typeof decideByRules
  readonly write: typeof writeEntries
  /** Called after each write of these entries. */
  readonly onWritten: ((written: Written, entries: readonly Entry[]) => void) | undefined
  readonly pace: PaceKeeper['pace']
  readonly observer: SafeObserver | undefined
}

/** The part of a lane that is kept while no command waits. */
export type LaneMemory = { cached: CachedAuction | undefined; contention: Contention | undefined }

/** The bytes of one auction without its texts, including the overhead of the cache; measured, and rounded up. */
const objectBytes = 1_000
const bytesPerCharacter = 2

/** The approximate memory of a cached auction, in bytes. */
export function bytesOf({ cached }: LaneMemory): number {
  // An incorrect store may have returned no state; then the decisions must fail, not this function.
  const result = cached?.state?.phase === 'closed' ? cached.state.result : undefined
  const reason = result?.outcome === 'cancelled' ? result.reason : undefined
  const title = cached?.state?.corrections?.title
  return objectBytes + bytesPerCharacter * ((reason?.length ?? 0) + (title?.length ?? 0))
}

/** An auction in service: its waiting commands, and its known state. */
export type Lane = LaneMemory & {
  readonly auctionId: AuctionId
  /** Set if the sender of the first command passed them: closings do. */
  readonly terms: Terms | undefined
  /** In the order of arrival. */
  readonly waiting: PendingCommand[]
  /** The commands that are being decided and recorded. */
  round: readonly PendingCommand[]
  /**
   * Whether the head was read, or confirmed by an append, since the round began: only then is a refusal that depends on the state
   * valid. An acceptance may follow from any head: if it is stale, the append finds the key taken.
   */
  isConfirmed: boolean
  /** The last time at which it was idle or paused. */
  busySinceMs: number
}

/** Settles the waiting commands of an auction: those that arrived while the previous round was recorded form one round. */
export async function serveRound(context: LaneContext, lane: Lane): Promise<void> {
  lane.round = lane.waiting.splice(0, context.limits.maxEntriesPerAppend)
  lane.isConfirmed = false
  try {
    while (lane.round.length > 0) {
      if (lane.round.some(hasDuplicateKey)) await settleByKey(context.store, lane.round.filter(hasDuplicateKey))
      if (lane.cached === undefined) await load(context, lane)
      if (lane.cached === undefined) return refuseAll(context, lane)
      await decideAndCommit(context, lane, lane.cached)
      lane.round = lane.round.filter(isUndecided)
    }
  } catch (error) {
    // `commit` settles everything that was sent; the remaining commands have changed nothing.
    failAll(lane, withOutcome(error, 'nothing-changed'))
  }
}

function refuseAll(context: LaneContext, { auctionId, round }: Lane): void {
  for (const pending of round) refuse(context, pending, { code: 'auction-not-found', auctionId })
}

function failAll({ round }: Lane, error: unknown): void {
  for (const pending of round) if (!pending.isRefused) fail(pending, error)
}

const isUndecided = ({ isSettled, isRefused }: PendingCommand): boolean => !isSettled && !isRefused
const hasDuplicateKey = (pending: PendingCommand): pending is KeyedCommand => pending.hasDuplicateKey

/** One step of a round: records commands that are accepted, and refuses those with a certain refusal. */
async function decideAndCommit(context: LaneContext, lane: Lane, cached: CachedAuction): Promise<void> {
  const proposals = await decideInOrder(context, lane, cached)
  if (proposals.length === 0) {
    // The remaining commands would be refused on cached data alone.
    if (lane.round.some(isUndecided)) await load(context, lane)
    return
  }
  if (lane.contention === undefined) {
    const nowMs = context.clock.nowMs()
    lane.contention = afterBusy(nowMs - lane.busySinceMs, nowMs, context.pace())
  }
  // The commands are decided again after the turn, on the new head.
  if (lane.contention?.phase === 'waiting') return waitForTurn(context, lane, cached, lane.contention)
  // Ids may have taken long. A command that timed out in the meantime must not be written, nor those that depend on it.
  const isOutdated = proposals.some(({ pending }) => pending.isSettled)
  if (!isOutdated) await commit(context, lane, cached, proposals)
}

/** Reads the auction and the current head of its ledger. */
async function load({ store }: LaneContext, lane: Lane): Promise<void> {
  const { auctionId, terms, cached } = lane
  const findTerms = async () => {
    const auction = await store.findAuction(auctionId)
    return auction && termsOf(auction)
  }
  const [found, [head]] = await Promise.all([cached?.terms ?? terms ?? findTerms(), store.findHeads([auctionId])])
  lane.cached = found && cachedAt(found, head)
  lane.isConfirmed = true
}

export const cachedAt = (terms: Terms, head: Entry | undefined): CachedAuction =>
  head === undefined
    ? { terms, sequence: 0, atMs: initialState.atMs, state: initialState }
    : { terms, sequence: head.sequence, atMs: head.atMs, state: head.state }

/** An accepted command, with the entry that would record it. */
type Proposal = { readonly pending: PendingCommand; readonly entry: Entry }

/** The decisions of a round so far. */
type Decided = {
  readonly terms: Terms
  /** The sequence of the head. */
  readonly sequence: number
  /** Whether the head is the last entry. */
  readonly isCurrent: boolean
  readonly proposals: Proposal[]
  /** The time of the last proposal, or that of the head. */
  atMs: number
  /** The state after the proposals, and their keys. */
  state: AuctionState
  keys: Set<RequestKey | undefined> | undefined
}

/**
 * Decides each command on the state after the previous ones, and refuses those with a certain refusal. The remaining commands need
 * a confirmed head for their refusal, or have the key of a command that is just proposed.
 */
async function decideInOrder(
  context: LaneContext,
  { round, isConfirmed }: Lane,
  { terms, sequence, atMs, state }: CachedAuction,
): Promise<readonly Proposal[]> {
  const { ids } = context
  // A closed auction never changes.
  const isCurrent = isConfirmed || state.phase === 'closed'
  const decided: Decided = { terms, sequence, isCurrent, proposals: [], atMs, state, keys: undefined }
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
function decideNext(context: LaneContext, decided: Decided, pending: PendingCommand): AuctionEvent | undefined {
  const { terms, isCurrent, proposals, state, keys } = decided
  const { command, requestKey, isSettled } = pending
  if (isSettled) return undefined
  if (keys?.has(requestKey)) {
    pending.hasDuplicateKey = true
    return undefined
  }
  // An append that is not necessary would cause a conflict.
  if (!isCurrent && needsLastEntry(terms, command)) return undefined
  const atMs = timeOf(pending, decided)
  let decision: ReturnType<typeof context.decide>
  try {
    decision = context.decide(terms, state, command, atMs)
  } catch (error) {
    fail(pending, error) // An unexpected error fails the command that caused it, and no other.
    return undefined
  }
  if (decision.ok) return decision.value
  const isCertain = (isCurrent && proposals.length === 0) || isFinal(terms, decision.refusal, command, atMs)
  if (isCertain) refuse(context, pending, decision.refusal)
  return undefined
}

/** The arrival of a command, or the time of the entry before it, if that is later. */
const timeOf = ({ arrivedAtMs }: PendingCommand, { atMs }: Decided): number => Math.max(arrivedAtMs, atMs)

function propose(decided: Decided, pending: PendingCommand, event: AuctionEvent, id: BidId): void {
  const { terms, proposals } = decided
  const { requestKey } = pending
  const atMs = timeOf(pending, decided)
  const state = evolve(decided.state, { id, atMs, event })
  const sequence = decided.sequence + proposals.length + 1
  const fields = { id, auctionId: terms.id, sequence, atMs, currency: terms.currency, event, state }
  proposals.push({ pending, entry: requestKey === undefined ? fields : { ...fields, requestKey } })
  decided.atMs = atMs
  decided.state = state
  if (requestKey !== undefined) decided.keys = (decided.keys ?? new Set()).add(requestKey)
}

/** Appends the proposals, and settles them by the outcome. */
async function commit(
  context: LaneContext,
  lane: Lane,
  { terms, sequence }: CachedAuction,
  proposals: readonly Proposal[],
): Promise<void> {
  const { clock, write, onWritten } = context
  const startMs = clock.nowMs()
  const entries = proposals.map(({ entry }) => entry)
  const signal: Write = { awaited: proposals.length, aborted: false }
  noteWrite(proposals, signal)
  const written = await write(context, entries, { isContended: lane.contention !== undefined, signal })
  noteWrite(proposals, undefined)
  onWritten?.(written, entries)
  settleWritten(context, lane, { terms, sequence, proposals, written, startMs })
}

function noteWrite(proposals: readonly Proposal[], write: Write | undefined): void {
  for (const { pending } of proposals) pending.write = write
}

type WrittenProposals = Pick<CachedAuction, 'terms' | 'sequence'> & {
  readonly proposals: readonly Proposal[]
  readonly written: Written
  readonly startMs: number
}

/** Settles what is stored. The others have changed nothing, and are decided again on the new head of the lane. */
function settleWritten(
  context: LaneContext,
  lane: Lane,
  { terms, sequence, proposals, written, startMs }: WrittenProposals,
): void {
  const nowMs = context.clock.nowMs()
  for (const { pending, entry } of proposals.slice(0, written.stored)) settle(pending, accepted(entry))
  const others = proposals.slice(written.stored)
  // The outcome confirms a head; if it is unknown, the head is read before the next decision.
  lane.isConfirmed = true
  lane.cached = undefined
  switch (written.outcome) {
    case 'stored':
      lane.cached = cachedAt(terms, proposals.at(-1)?.entry)
      if (lane.contention !== undefined) lane.contention = afterStored(lane.contention, nowMs, context.pace())
      return
    case 'taken': {
      lane.cached = cachedAt(terms, written.head)
      // If the sequence was free, the key was taken: the request was made before, here or elsewhere.
      const isOfKey = lane.cached.sequence <= sequence + written.stored
      if (!isOfKey) lane.contention = afterConflict(lane.contention, nowMs - startMs, nowMs, context.pace())
      noteConflict(context, others, isOfKey)
      return
    }
    case 'unknown': {
      const reason = 'the store did not report the outcome of a write'
      const error = new StoreUnavailableError(reason, { cause: written.error, outcome: 'unknown' })
      for (const { pending } of others) fail(pending, error)
      return
    }
    default:
      written.outcome satisfies 'withdrawn' // Its commands have failed.
  }
}

function noteConflict({ limits, observer }: LaneContext, others: readonly Proposal[], isOfKey: boolean): void {
  observer?.onConflict({ over: isOfKey ? 'request-key' : 'sequence', commands: others.length })
  for (const { pending } of others) {
    pending.conflicts += 1
    if (isOfKey && isKeyed(pending)) pending.hasDuplicateKey = true
    if (pending.conflicts > limits.maxConflicts) settle(pending, refused({ code: 'overloaded' }))
  }
}

/** Leaves the ledger to others until their turn is over, and then reads the head. Commands that arrived in the meantime join the round. */
async function waitForTurn(
  { store, clock, pace, limits }: LaneContext,
  lane: Lane,
  { terms, sequence }: CachedAuction,
  contention: Waiting,
): Promise<void> {
  // A clock that was set back must not extend it.
  const leftMs = Math.min(contention.untilMs - clock.nowMs(), 2 * pace().turnMs)
  if (leftMs > 0) await new Promise<void>((resolve) => void clock.after(leftMs, resolve))
  const left = lane.round.filter(isUndecided)
  // Before the head is read, so that the head is confirmed for all of them.
  lane.round = [...left, ...lane.waiting.splice(0, limits.maxEntriesPerAppend - left.length)]
  const [head] = await store.findHeads([lane.auctionId])
  lane.cached = cachedAt(terms, head)
  lane.isConfirmed = true
  lane.contention = afterWaiting(contention, lane.cached.sequence !== sequence)
  lane.busySinceMs = clock.nowMs()
}

/** Refuses a command unless its key already has an entry, which is then its result. The round does not wait for that lookup. */
function refuse({ store }: LaneContext, pending: PendingCommand, refusal: CommandRefusal): void {
  if (!isKeyed(pending)) {
    settle(pending, refused(refusal))
    return
  }
  pending.isRefused = true
  void settleByKey(store, [pending]).then(() => settle(pending, refused(refusal)))
}
