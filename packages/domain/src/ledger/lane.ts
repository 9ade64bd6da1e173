import type { Terms } from '../auction/auction.ts'
import { termsOf } from '../auction/auction.ts'
import type { decide as decideByRules } from '../auction/decide.ts'
import { isFinal, ledgerTimeMs } from '../auction/decide.ts'
import type { AuctionEvent } from '../auction/events.ts'
import { evolve } from '../auction/evolve.ts'
import { type AuctionState, initialState } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import type { AuctionId } from '../ids.ts'
import type { EntryIdSource } from '../ids-from-blocks.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { RequestKey } from '../request-key.ts'
import { accepted, refused } from '../result.ts'
import type { Store } from '../store.ts'
import { StoreUnavailableError, withOutcome } from '../store-unavailable.ts'
import { afterBusy, afterConflict, afterStored, afterWaiting, type Contention, type Waiting } from './contention.ts'
import type { Entry } from './entry.ts'
import type { PaceKeeper } from './pace.ts'
import { type CommandRefusal, fail, type PendingCommand, settle, type Write } from './pending-command.ts'
import { settleByKey } from './settle-by-key.ts'
import type { writeEntries } from './write.ts'

/** What a process remembers of an auction: its terms, which never change, and the last entry that it has seen. */
export type CachedAuction = { readonly terms: Terms; readonly sequence: number; readonly state: AuctionState }

/** What the lanes of a process share. */
export type LaneContext = {
  readonly store: Store
  readonly clock: Clock
  readonly ids: EntryIdSource
  readonly limits: Limits
  readonly decide: typeof decideByRules
  readonly write: typeof writeEntries
  readonly pace: PaceKeeper['pace']
  readonly observer: SafeObserver | undefined
}

/** What stays of a lane while nothing waits in it. */
export type LaneMemory = { cached: CachedAuction | undefined; contention: Contention | undefined }

/** What the objects of one auction take beside its texts, with their places in the cache; measured, and rounded up. */
const objectBytes = 1_000
const bytesPerCharacter = 2

/** About how much memory is kept with what is remembered of an auction, in bytes. */
export function bytesOf({ cached }: LaneMemory): number {
  // A store that is not right may have given no state; then the decisions fail, and not this.
  const result = cached?.state?.phase === 'closed' ? cached.state.result : undefined
  const reason = result?.outcome === 'cancelled' ? result.reason : undefined
  return objectBytes + bytesPerCharacter * (reason?.length ?? 0)
}

/** One auction that is being served: what waits for it, and what is known of it. */
export type Lane = LaneMemory & {
  readonly auctionId: AuctionId
  /** Set if the sender of the first command passed them: closings do. */
  readonly terms: Terms | undefined
  /** In the order in which they came. */
  readonly waiting: PendingCommand[]
  /** What is decided and recorded just now. */
  round: readonly PendingCommand[]
  /**
   * Whether the head was read, or confirmed by an append, since the round began: a refusal that reads the state may be given. An
   * acceptance may rest on any head: if it is stale, the append finds the key taken.
   */
  isConfirmed: boolean
  /** When it was last without work, or paused. */
  busySinceMs: number
}

/** Settles the commands that wait for an auction: all that came while the last ones were recorded are one round. */
export async function serveRound(context: LaneContext, lane: Lane): Promise<void> {
  lane.round = lane.waiting.splice(0, context.limits.maxEntriesPerAppend)
  lane.isConfirmed = false
  try {
    while (lane.round.length > 0) {
      if (lane.round.some(({ hasDuplicateKey }) => hasDuplicateKey)) await settleDuplicates(context, lane.round)
      if (lane.cached === undefined) await load(context, lane)
      if (lane.cached === undefined) {
        const refusal = { code: 'auction-not-found', auctionId: lane.auctionId } as const
        for (const pending of lane.round) refuse(context, pending, refusal)
        return
      }
      await decideAndCommit(context, lane, lane.cached)
      lane.round = lane.round.filter(isUndecided)
    }
  } catch (error) {
    // All that was sent is settled where it is sent; what is left has changed nothing.
    for (const pending of lane.round) {
      if (!pending.isRefused) fail(pending, withOutcome(error, 'nothing-changed'))
    }
  }
}

const isUndecided = ({ isSettled, isRefused }: PendingCommand): boolean => !isSettled && !isRefused

/** One step of a round: what can be done is done, and what can be refused is. */
async function decideAndCommit(context: LaneContext, lane: Lane, cached: CachedAuction): Promise<void> {
  const proposals = await decideInOrder(context, lane, cached)
  if (proposals.length === 0) {
    // Whatever is left would be refused by what was only remembered.
    if (!lane.isConfirmed && lane.round.some(isUndecided)) await load(context, lane)
    return
  }
  if (lane.contention === undefined) {
    const nowMs = context.clock.nowMs()
    lane.contention = afterBusy(nowMs - lane.busySinceMs, nowMs, context.pace())
  }
  // They are decided again, on the head of then.
  if (lane.contention?.phase === 'waiting') return waitForTurn(context, lane, cached, lane.contention)
  // Ids may have taken long to come. What was given up meanwhile must not be written, nor what rests on it.
  const isOutdated = proposals.some(({ pending }) => pending.isSettled)
  if (!isOutdated) await commit(context, lane, cached, proposals)
}

/** Reads the auction, with its head as the ledger has it now. */
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
    ? { terms, sequence: 0, state: initialState }
    : { terms, sequence: head.sequence, state: head.state }

/** A command that may be done, with the entry that would record it. */
type Proposal = { readonly pending: PendingCommand; readonly entry: Entry }

/**
 * Decides each command on the state that those before it lead to, and refuses what can be refused. Left are those which only a
 * confirmed head can refuse, and commands with the key of one that is proposed just now.
 */
async function decideInOrder(
  context: LaneContext,
  { round, isConfirmed }: Lane,
  { terms, sequence: last, state: known }: CachedAuction,
): Promise<readonly Proposal[]> {
  const { clock, ids, decide } = context
  const proposals: Proposal[] = []
  // Nothing changes what has ended.
  const isCurrent = isConfirmed || known.phase === 'closed'
  let keys: Set<RequestKey> | undefined
  const nowMs = clock.nowMs()
  let state = known
  for (const pending of round) {
    const { command, requestKey, isSettled } = pending
    if (isSettled) continue
    if (requestKey !== undefined && keys?.has(requestKey)) {
      pending.hasDuplicateKey = true
      continue
    }
    // Others may have moved the end, and an append for nothing costs a conflict.
    if (command.type === 'close' && terms.softClose !== undefined && !isCurrent) continue
    let decision: ReturnType<typeof decide>
    try {
      decision = decide(terms, state, command, nowMs)
    } catch (error) {
      fail(pending, error) // What nobody expects ends the command that met it, and no other.
      continue
    }
    if (!decision.ok) {
      const isCertain =
        (isCurrent && proposals.length === 0) || isFinal(terms, decision.refusal, command, ledgerTimeMs(state, nowMs))
      if (isCertain) refuse(context, pending, decision.refusal)
      continue
    }
    const next = hasAutomaticBid(decision.value) ? ids.nextPair() : ids.next()
    const id = typeof next === 'number' ? next : await next
    const atMs = ledgerTimeMs(state, nowMs)
    state = evolve(state, { id, atMs, event: decision.value })
    const sequence = last + proposals.length + 1
    const fields = { id, auctionId: terms.id, sequence, atMs, currency: terms.currency, event: decision.value, state }
    proposals.push({ pending, entry: requestKey === undefined ? fields : { ...fields, requestKey } })
    if (requestKey !== undefined) keys = (keys ?? new Set()).add(requestKey)
  }
  return proposals
}

/** Whether the event has a bid beside its own, which needs an id as well. */
const hasAutomaticBid = (event: AuctionEvent): boolean => 'automatic' in event && event.automatic !== undefined

/**
 * Appends the proposals, and settles those that are stored. What is left has changed nothing, and is decided again on the head
 * that the lane has then.
 */
async function commit(
  context: LaneContext,
  lane: Lane,
  { terms }: CachedAuction,
  proposals: readonly Proposal[],
): Promise<void> {
  const startMs = context.clock.nowMs()
  const signal: Write = { awaited: proposals.length, aborted: false }
  for (const { pending } of proposals) pending.write = signal
  const entries = proposals.map(({ entry }) => entry)
  const written = await context.write(context, entries, { isContended: lane.contention !== undefined, signal })
  for (const { pending } of proposals) pending.write = undefined
  const nowMs = context.clock.nowMs()
  for (const { pending, entry } of proposals.slice(0, written.stored)) settle(pending, accepted(entry))
  const others = proposals.slice(written.stored)
  lane.isConfirmed = written.outcome === 'stored' || written.outcome === 'taken'
  switch (written.outcome) {
    case 'stored': {
      const last = proposals.at(-1)
      if (last !== undefined) lane.cached = cachedAt(terms, last.entry)
      if (lane.contention !== undefined) lane.contention = afterStored(lane.contention, nowMs, context.pace())
      return
    }
    case 'taken':
      lane.cached = cachedAt(terms, written.head)
      noteConflict(context, lane, written.head, others, nowMs - startMs)
      return
    case 'unknown': {
      lane.cached = undefined
      const reason = 'the store did not report the outcome of a write'
      const error = new StoreUnavailableError(reason, { cause: written.error, outcome: 'unknown' })
      for (const { pending } of others) fail(pending, error)
      return
    }
    case 'withdrawn':
      return
    default:
      written satisfies never
  }
}

function noteConflict(
  { limits, clock, pace, observer }: LaneContext,
  lane: Lane,
  head: Entry | undefined,
  others: readonly Proposal[],
  tookMs: number,
): void {
  const [first] = others
  // Where the sequence was free, it was the key that was taken: the request was made before, here or elsewhere.
  const isOfKey = first !== undefined && (head?.sequence ?? 0) < first.entry.sequence
  observer?.onConflict({ over: isOfKey ? 'request-key' : 'sequence', commands: others.length })
  if (!isOfKey) lane.contention = afterConflict(lane.contention, tookMs, clock.nowMs(), pace())
  for (const { pending } of others) {
    pending.conflicts += 1
    if (isOfKey && pending.requestKey !== undefined) pending.hasDuplicateKey = true
    if (pending.conflicts > limits.maxConflicts) settle(pending, refused({ code: 'overloaded' }))
  }
}

/** Leaves the ledger to others until their turn is over, and looks what they have made of it. What came meanwhile joins the round. */
async function waitForTurn(
  { store, clock, pace, limits }: LaneContext,
  lane: Lane,
  { terms, sequence }: CachedAuction,
  contention: Waiting,
): Promise<void> {
  // A clock that was set back shall not make it longer.
  const leftMs = Math.min(contention.untilMs - clock.nowMs(), 2 * pace().turnMs)
  if (leftMs > 0) await new Promise<void>((resolve) => void clock.after(leftMs, resolve))
  const left = lane.round.filter(isUndecided)
  // Before the head is read, so that it may refuse them all.
  lane.round = [...left, ...lane.waiting.splice(0, limits.maxEntriesPerAppend - left.length)]
  const [head] = await store.findHeads([lane.auctionId])
  lane.cached = cachedAt(terms, head)
  lane.isConfirmed = true
  lane.contention = afterWaiting(contention, lane.cached.sequence !== sequence)
  lane.busySinceMs = clock.nowMs()
}

async function settleDuplicates({ store }: LaneContext, round: readonly PendingCommand[]): Promise<void> {
  const duplicates = round.filter(({ hasDuplicateKey, isSettled }) => hasDuplicateKey && !isSettled)
  for (const pending of duplicates) pending.hasDuplicateKey = false
  await settleByKey(store, duplicates)
}

/** Refuses what is not done already: a command whose key has made an entry is told of that instead, and the round does not wait for it. */
function refuse({ store }: LaneContext, pending: PendingCommand, refusal: CommandRefusal): void {
  if (pending.requestKey === undefined) {
    settle(pending, refused(refusal))
    return
  }
  pending.isRefused = true
  void settleByKey(store, [pending]).then(() => settle(pending, refused(refusal)))
}
