import { type Terms, termsOf } from '../auction/auction.ts'
import type { Clock } from '../clock.ts'
import type { FixedLimits } from '../limits.ts'
import { withOutcome } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { type CachedAuction, cachedAt } from './cached-auction.ts'
import {
  afterConflict,
  afterStored,
  afterWaiting,
  beforeBatch,
  type Contention,
  isConflictLikely,
  type Waiting,
} from './contention.ts'
import type { PaceKeeper } from './pace.ts'
import { fail, isKeyed, type PendingCommand, waiting } from './pending-command.ts'
import { type Confirmation, type ProposalContext, proposeEntries } from './proposals.ts'
import { type Recorded, type RecordingContext, record } from './recording.ts'
import { refuse, settleByKey } from './settle-by-key.ts'

/** The parts that all lanes of a process share. */
export type LaneContext = ProposalContext &
  RecordingContext & {
    readonly store: Store
    readonly clock: Clock
    readonly limits: FixedLimits
    readonly pace: PaceKeeper['pace']
  }

/** The part of a lane that is kept while no command waits. */
export type LaneMemory = { cached: CachedAuction | undefined; contention: Contention | undefined }

/** What a look takes at least, so that a clock that stands still does not make a lane wait forever. */
const leastLookMs = 0.1

/** An auction in service: its waiting commands, and its known state. */
export type Lane = LaneMemory & {
  readonly auctionId: AuctionId
  /** Set if the sender of the first command passed them: closings do. */
  readonly terms: Terms | undefined
  /** In the order of arrival. */
  readonly waiting: PendingCommand[]
  /** The commands that are being decided and recorded. */
  round: readonly PendingCommand[]
  /** Of the cached head, since the round began. */
  confirmation: Confirmation
  /** The last time at which it was idle or paused. */
  busySinceMs: number
}

/** Settles the waiting commands of an auction: those that arrived while the previous round was recorded form one round. */
export async function serveRound(context: LaneContext, lane: Lane): Promise<void> {
  lane.round = lane.waiting.splice(0, context.limits.maxEntriesPerAppend)
  // A closed auction never changes.
  lane.confirmation = lane.cached?.state?.phase === 'closed' ? 'confirmed' : 'unconfirmed'
  try {
    while (lane.round.length > 0) {
      if (lane.round.some(hasTakenKey)) await lookUpKeys(context, lane.round.filter(hasTakenKey))
      if (lane.cached === undefined) await load(context, lane)
      if (lane.cached === undefined) return refuseAll(context, lane)
      await decideAndRecord(context, lane, lane.cached)
      lane.round = lane.round.filter(isUndecided)
    }
  } catch (error) {
    // `record` settles everything that was sent; the remaining commands have changed nothing.
    for (const pending of lane.round.filter(isUndecided)) fail(pending, withOutcome(error, 'nothing-changed'))
  }
}

const hasTakenKey = ({ state }: PendingCommand): boolean => state.step === 'key-taken'
const isUndecided = ({ state }: PendingCommand): boolean => state.step !== 'settled' && state.step !== 'refused'

function refuseAll({ store }: LaneContext, { auctionId, round }: Lane): void {
  for (const pending of round) refuse(store, pending, { code: 'auction-not-found', auctionId })
}

/** Settles commands whose key has an entry. The others are decided. */
async function lookUpKeys({ store }: LaneContext, commands: readonly PendingCommand[]): Promise<void> {
  await settleByKey(store, commands.filter(isKeyed))
  for (const pending of commands) if (hasTakenKey(pending)) pending.state = waiting
}

/** One step of a round: decides its commands, waits for the turn of the lane if it has none, and records what is accepted. */
async function decideAndRecord(context: LaneContext, lane: Lane, cached: CachedAuction): Promise<void> {
  const { clock, pace } = context
  const proposals = await proposeEntries(context, lane.round, cached, lane.confirmation)
  if (proposals.length === 0) {
    // The remaining commands would be refused on cached data alone.
    if (lane.round.some(isUndecided)) await load(context, lane)
    return
  }
  const nowMs = clock.nowMs()
  const batch = { size: lane.round.length, busySinceMs: lane.busySinceMs }
  lane.contention = beforeBatch(lane.contention, batch, nowMs, pace())
  // The commands are decided again after the turn, on the new head.
  if (lane.contention?.phase === 'waiting') return waitForTurn(context, lane, cached, lane.contention)
  // Ids may have taken long. A command that timed out in the meantime must not be written, nor those that depend on it.
  if (proposals.some(({ pending }) => !isUndecided(pending))) return
  learn(context, lane, await record(context, cached, proposals, isConflictLikely(lane.contention)), proposals.length)
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
  lane.confirmation = 'confirmed'
}

/** Keeps the head after an append, and what the append says about other processes. */
function learn({ clock, pace }: LaneContext, lane: Lane, recorded: Recorded, proposed: number): void {
  // If the outcome is unknown, the head is read before the next decision.
  lane.cached = recorded.outcome === 'unknown' ? undefined : recorded.head
  lane.confirmation = 'confirmed'
  const { contention } = lane
  if (recorded.outcome === 'stored' && contention !== undefined)
    lane.contention = afterStored(contention, proposed, clock.nowMs(), pace())
  if (recorded.outcome === 'conflict' && recorded.over === 'sequence')
    lane.contention = afterConflict(contention, clock.nowMs(), pace())
}

/**
 * Leaves the ledger to others, and reads the head again and again until it has not moved for a while, or for the longest time. Commands
 * that arrive in the meantime join the round.
 */
async function waitForTurn(
  { store, clock, pace, limits }: LaneContext,
  lane: Lane,
  { terms, sequence }: CachedAuction,
  contention: Waiting,
): Promise<void> {
  const { longestMs, beginWithinMs, quietMs, sinceMs } = contention
  const { handoverMs } = pace()
  let lookedAtMs = clock.nowMs()
  // A clock that was set back must not extend it.
  const spentMs = Math.max(lookedAtMs - sinceMs, 0)
  let leftMs = longestMs - spentMs
  let pauseMs = beginWithinMs - spentMs
  let seen = sequence
  do {
    const sleepMs = Math.min(pauseMs, leftMs, handoverMs)
    if (sleepMs > 0) await new Promise<void>((resolve) => void clock.after(sleepMs, resolve))
    const left = lane.round.filter(isUndecided)
    // Before the head is read, so that the head is confirmed for all of them.
    lane.round = [...left, ...lane.waiting.splice(0, limits.maxEntriesPerAppend - left.length)]
    const [head] = await store.findHeads([lane.auctionId])
    lane.cached = cachedAt(terms, head)
    lane.confirmation = 'confirmed'
    const nowMs = clock.nowMs()
    const tookMs = Math.max(nowMs - lookedAtMs, sleepMs, leastLookMs)
    lookedAtMs = nowMs
    leftMs -= tookMs
    pauseMs = lane.cached.sequence === seen ? pauseMs - tookMs : quietMs
    seen = lane.cached.sequence
  } while (pauseMs > 0 && leftMs > 0 && lane.round.some(isUndecided))
  lane.contention = afterWaiting(contention, seen !== sequence)
  lane.busySinceMs = clock.nowMs()
}
