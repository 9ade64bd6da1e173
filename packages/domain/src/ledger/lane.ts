import { type Terms, termsOf } from '../auction/auction.ts'
import type { Clock } from '../clock.ts'
import type { FixedLimits } from '../limits.ts'
import { withOutcome } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { type CachedAuction, cachedAt } from './cached-auction.ts'
import {
  afterMove,
  afterStored,
  afterTurns,
  type Contention,
  isConflictLikely,
  isReserved,
  msToPause,
  msToTurn,
  writerOf,
} from './contention.ts'
import { type HeadPoll, msPerPoll } from './head-poll.ts'
import type { PaceKeeper } from './pace.ts'
import { fail, isKeyed, type PendingCommand, waiting } from './pending-command.ts'
import { type Confirmation, type ProposalContext, proposeEntries, refuseOnHead } from './proposals.ts'
import { type Recorded, type RecordingContext, record } from './recording.ts'
import { refuse, settleByKey } from './settle-by-key.ts'

/** The parts that all lanes of a process share. */
export type LaneContext = ProposalContext &
  RecordingContext & {
    readonly store: Store
    readonly clock: Clock
    readonly pollHead: HeadPoll
    readonly limits: FixedLimits
    readonly pace: PaceKeeper['pace']
    /** When a lane last found an entry of another process. */
    metOthersAtMs: number
  }

/** The part of a lane that is kept while no command waits. */
export type LaneMemory = { cached: CachedAuction | undefined; contention: Contention | undefined }

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
  /** The number of pauses since it was idle in which no other process stored. */
  pauses: number
}

/** Settles the waiting commands of an auction: those that arrived while the previous round was recorded form one round. */
export async function serveRound(context: LaneContext, lane: Lane): Promise<void> {
  lane.round = lane.waiting.splice(0, context.limits.maxEntriesPerAppend)
  // A closed auction never changes.
  lane.confirmation = lane.cached?.state?.phase === 'closed' ? 'confirmed' : 'unconfirmed'
  try {
    while (lane.round.length > 0) {
      if (lane.round.some(hasTakenKey)) await lookUpKeys(context, lane.round.filter(hasTakenKey))
      if (lane.cached === undefined) {
        await load(context, lane)
        // A read keeps no other process from the ledger.
        lane.busySinceMs = context.clock.nowMs()
      }
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

/** One step of a round: waits for the turn of the lane if it has none, or decides its commands and records what is accepted. */
async function decideAndRecord(context: LaneContext, lane: Lane, cached: CachedAuction): Promise<void> {
  const { clock, pace } = context
  const nowMs = clock.nowMs()
  const pauseMs = msToPause(lane.contention, lane, { nowMs, metOthersAtMs: context.metOthersAtMs }, pace())
  if (pauseMs > 0) return pause(context, lane, cached, pauseMs)
  if (lane.contention !== undefined) {
    const waitMs = msToTurn(lane.contention, nowMs, pace())
    const isKnown = lane.confirmation === 'confirmed' || isReserved(lane.contention, nowMs, pace())
    if (waitMs > 0 || !isKnown) return waitForTurn(context, lane, cached, waitMs)
  }
  const preparing = lane.confirmation === 'confirmed' ? prepareFirst(lane.round, cached) : undefined
  if (preparing !== undefined) await preparing
  const proposals = await proposeEntries(context, lane.round, cached, lane.confirmation)
  if (proposals.length === 0) {
    // The remaining commands would be refused on cached data alone.
    if (lane.round.some(isUndecided)) await load(context, lane)
    return
  }
  // Ids may have taken long. A command that timed out in the meantime must not be written, nor those that depend on it.
  if (proposals.some(({ pending }) => !isUndecided(pending))) return
  learn(context, lane, cached, await record(context, cached, proposals, isConflictLikely(lane.contention)))
}

/**
 * Prepares the first command for a confirmed head, if it has to be prepared. It waits until it is the first one, so that
 * none before it moves the head, and then misses its turn only if another process is first, like any command.
 */
function prepareFirst(round: readonly PendingCommand[], { sequence }: CachedAuction): Promise<void> | undefined {
  const first = round.find(isUndecided)
  if (first?.prepare === undefined || first.preparedFor === sequence) return undefined
  return first.prepare(sequence).then(
    (command) => {
      first.command = command
      first.preparedFor = sequence
    },
    (error) => fail(first, withOutcome(error, 'nothing-changed')),
  )
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
function learn(context: LaneContext, lane: Lane, before: CachedAuction, recorded: Recorded): void {
  const { clock, pace } = context
  // If the outcome is unknown, the head is read before the next decision.
  lane.cached = recorded.outcome === 'unknown' ? undefined : recorded.head
  lane.confirmation = 'confirmed'
  if (recorded.outcome === 'stored' && lane.contention !== undefined)
    lane.contention = afterStored(lane.contention, clock.nowMs(), pace())
  if (recorded.outcome === 'conflict' && recorded.over === 'sequence')
    // The head of a lane without knowledge of others may be old.
    noticeMove(context, lane, { before, isConcurrent: lane.contention !== undefined })
}

/** Keeps what the head says about other processes, if it has moved. Returns whether it has. */
function noticeMove(
  context: LaneContext,
  lane: Lane,
  { before, isConcurrent }: { readonly before: CachedAuction; readonly isConcurrent: boolean },
): boolean {
  const { id, sequence } = lane.cached ?? before
  if (id === undefined || sequence === before.sequence) return false
  const { clock, pace, limits } = context
  const nowMs = clock.nowMs()
  context.metOthersAtMs = nowMs
  const writer = writerOf(id, limits.idsPerBlock.entries)
  lane.contention = afterMove(lane.contention, writer, { nowMs, isConcurrent }, pace())
  return true
}

/**
 * Leaves the ledger to others for a time, which begins again when the head has moved, and reads the head again and again. Commands that
 * arrive in the meantime join the round; those that the head rules out are refused.
 */
async function waitForTurn(context: LaneContext, lane: Lane, cached: CachedAuction, waitMs: number): Promise<void> {
  const { clock, pace } = context
  let leftMs = waitMs
  let before = cached
  if (lane.confirmation === 'confirmed') refuseOnHead(context, lane.round, cached)
  while (lane.round.some(isUndecided)) {
    const sinceMs = clock.nowMs()
    const isPoll = leftMs > 0
    const head = await readHead(context, lane, before, isPoll)
    const hasMoved = noticeMove(context, lane, { before, isConcurrent: isPoll })
    refuseOnHead(context, lane.round, head)
    before = head
    const nowMs = clock.nowMs()
    // A clock that stands still does not make a lane wait forever.
    leftMs -= Math.max(nowMs - sinceMs, msPerPoll)
    if (hasMoved) leftMs = lane.contention === undefined ? 0 : msToTurn(lane.contention, nowMs, pace())
    if (leftMs <= 0) {
      lane.contention &&= afterTurns(lane.contention)
      return
    }
  }
}

/** Leaves the ledger to others that are not known. */
async function pause(context: LaneContext, lane: Lane, cached: CachedAuction, pauseMs: number): Promise<void> {
  const { clock } = context
  await new Promise<void>((resolve) => void clock.after(pauseMs, resolve))
  await readHead(context, lane, cached, false)
  const hasMoved = noticeMove(context, lane, { before: cached, isConcurrent: true })
  lane.pauses = hasMoved ? 0 : lane.pauses + 1
  lane.busySinceMs = clock.nowMs()
}

/** Reads the head, so that it is confirmed for all commands that have arrived. */
async function readHead(
  { store, pollHead, limits }: LaneContext,
  lane: Lane,
  { terms }: CachedAuction,
  isPoll: boolean,
): Promise<CachedAuction> {
  const { auctionId, round, waiting } = lane
  const left = round.filter(isUndecided)
  lane.round = [...left, ...waiting.splice(0, limits.maxEntriesPerAppend - left.length)]
  const head = isPoll ? await pollHead(auctionId) : (await store.findHeads([auctionId]))[0]
  lane.cached = cachedAt(terms, head)
  lane.confirmation = 'confirmed'
  return lane.cached
}
