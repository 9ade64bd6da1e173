import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'
import { withOutcome } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import {
  afterMove,
  afterStored,
  afterTurns,
  type Contention,
  isConflictLikely,
  isReserved,
  msToPause,
  msToTurn,
  type PaceKeeper,
  writerOf,
} from './contention.ts'
import { type HeadPoll, msPerPoll } from './head-poll.ts'
import { type CachedLedger, cachedAt, type LedgerTypes } from './kind.ts'
import { fail, isKeyed, type PendingCommand, waiting } from './pending-command.ts'
import { type Confirmation, type ProposalContext, proposeEntries, refuseOnHead } from './proposals.ts'
import { type Recorded, type RecordingContext, record } from './recording.ts'
import { refuse, settleByKey } from './settle-by-key.ts'

/** The parts that all lanes of a process share. */
export type LaneContext<Kind extends LedgerTypes> = ProposalContext<Kind> &
  RecordingContext<Kind> & {
    readonly store: Store<Kind['entry']>
    readonly clock: Clock
    readonly pollHead: HeadPoll<Kind['entry']>
    readonly limits: Limits
    readonly handoverMs: PaceKeeper['handoverMs']
  }

/** The part of a lane that is kept while no command waits. */
export type LaneMemory<Kind extends LedgerTypes> = {
  cached: CachedLedger<Kind> | undefined
  contention: Contention | undefined
}

/** A ledger in service: its waiting commands, and its known state. */
export type Lane<Kind extends LedgerTypes> = LaneMemory<Kind> & {
  readonly auctionId: AuctionId
  /** Set if the sender of the first command passed them. */
  readonly terms: Kind['terms'] | undefined
  /** In the order of arrival. */
  readonly waiting: PendingCommand<Kind>[]
  /** The commands that are being decided and recorded. */
  round: readonly PendingCommand<Kind>[]
  /** Of the cached head, since the round began. */
  confirmation: Confirmation
  /** When it was last idle, or began a pause. */
  busySinceMs: number
}

/**
 * Settles the waiting commands of a ledger: those that arrived while the previous round was recorded form one round.
 */
export async function serveRound<Kind extends LedgerTypes>(
  context: LaneContext<Kind>,
  lane: Lane<Kind>,
): Promise<void> {
  lane.round = lane.waiting.splice(0, context.limits.maxEntriesPerAppend)
  const isOver = lane.cached !== undefined && context.kind.isOver(lane.cached.state)
  lane.confirmation = isOver ? 'confirmed' : 'unconfirmed'
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

type AnyPending = Pick<PendingCommand<LedgerTypes>, 'state'>
const hasTakenKey = ({ state }: AnyPending): boolean => state.step === 'key-taken'
const isUndecided = ({ state }: AnyPending): boolean => state.step !== 'settled' && state.step !== 'refused'

function refuseAll<Kind extends LedgerTypes>(context: LaneContext<Kind>, { auctionId, round }: Lane<Kind>): void {
  for (const pending of round) refuse(context, pending, context.kind.notFound(auctionId))
}

/** Settles commands whose key has an entry. The others are decided. */
async function lookUpKeys<Kind extends LedgerTypes>(
  context: LaneContext<Kind>,
  commands: readonly PendingCommand<Kind>[],
): Promise<void> {
  await settleByKey(context, commands.filter(isKeyed<Kind>))
  for (const pending of commands) if (hasTakenKey(pending)) pending.state = waiting
}

/**
 * One step of a round: waits for the turn of the lane if it has none, or decides its commands and records what is
 * accepted.
 */
async function decideAndRecord<Kind extends LedgerTypes>(
  context: LaneContext<Kind>,
  lane: Lane<Kind>,
  cached: CachedLedger<Kind>,
): Promise<void> {
  const waitMs = msToWait(context, lane)
  if (waitMs > 0 || mayHaveMoved(context, lane)) return waitForTurn(context, lane, cached, waitMs)
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
 * Prepares the first command for a confirmed head, if it has to be prepared. It waits until it is the first one, so
 * that none before it moves the head, and then misses its turn only if another process is first, like any command.
 */
function prepareFirst<Kind extends LedgerTypes>(
  round: readonly PendingCommand<Kind>[],
  { sequence }: CachedLedger<Kind>,
): Promise<void> | undefined {
  const first = round.find(isUndecided)
  return first?.guard?.prepare?.(sequence)?.catch((error) => fail(first, withOutcome(error, 'nothing-changed')))
}

/** Reads the terms of a ledger and its current head. */
async function load<Kind extends LedgerTypes>({ kind, store }: LaneContext<Kind>, lane: Lane<Kind>): Promise<void> {
  const { auctionId, cached } = lane
  const known = cached?.terms ?? lane.terms
  const [terms, [head]] = await Promise.all([known ?? kind.load(store, auctionId), store.findHeads([auctionId])])
  lane.cached = terms && cachedAt(kind, terms, head)
  lane.confirmation = 'confirmed'
}

/** Keeps the head after an append, and what the append says about other processes. */
function learn<Kind extends LedgerTypes>(
  context: LaneContext<Kind>,
  lane: Lane<Kind>,
  before: CachedLedger<Kind>,
  recorded: Recorded<Kind>,
): void {
  const { clock, handoverMs } = context
  // If the outcome is unknown, the head is read before the next decision.
  lane.cached = recorded.outcome === 'unknown' ? undefined : recorded.head
  lane.confirmation = 'confirmed'
  if (recorded.outcome === 'stored') lane.contention &&= afterStored(lane.contention, clock.nowMs(), handoverMs())
  if (recorded.outcome === 'conflict' && recorded.over === 'sequence')
    // The head of a lane without knowledge of others may be old.
    noticeMove(context, lane, before, lane.contention !== undefined)
}

/** Keeps what the head says about other processes, if it has moved. Returns whether it has. */
function noticeMove<Kind extends LedgerTypes>(
  { clock, handoverMs, limits }: LaneContext<Kind>,
  lane: Lane<Kind>,
  before: CachedLedger<Kind>,
  isConcurrent: boolean,
): boolean {
  const { id, sequence } = lane.cached ?? before
  if (id === undefined || sequence === before.sequence) return false
  const writer = writerOf(id, limits.entryIdsPerBlock)
  lane.contention = afterMove(lane.contention, writer, isConcurrent, clock.nowMs(), handoverMs())
  return true
}

/**
 * How long a lane leaves the ledger to others: to those whose turns come first, or in a pause to those that it does not
 * know.
 */
function msToWait<Kind extends LedgerTypes>({ clock, handoverMs }: LaneContext<Kind>, lane: Lane<Kind>): number {
  const { contention, busySinceMs } = lane
  const nowMs = clock.nowMs()
  const pauseMs = msToPause(contention, nowMs - busySinceMs, handoverMs())
  if (pauseMs > 0) lane.busySinceMs = nowMs
  return Math.max(pauseMs, msToTurn(contention, nowMs, handoverMs()))
}

/**
 * Whether others are likely to have moved the head since it was read or stored, so that a read costs less than a
 * conflict.
 */
const mayHaveMoved = <Kind extends LedgerTypes>(
  { clock, handoverMs }: LaneContext<Kind>,
  { contention, confirmation }: Lane<Kind>,
): boolean =>
  contention !== undefined && confirmation === 'unconfirmed' && !isReserved(contention, clock.nowMs(), handoverMs())

/**
 * Leaves the ledger to others for a time, which begins again when the head has moved, and reads the head again and
 * again. Commands that arrive in the meantime join the round; those that the head rules out are refused.
 */
async function waitForTurn<Kind extends LedgerTypes>(
  context: LaneContext<Kind>,
  lane: Lane<Kind>,
  cached: CachedLedger<Kind>,
  waitMs: number,
): Promise<void> {
  const { clock, handoverMs } = context
  let leftMs = waitMs
  let before = cached
  if (lane.confirmation === 'confirmed') refuseOnHead(context, lane.round, cached)
  while (lane.round.some(isUndecided)) {
    const sinceMs = clock.nowMs()
    const isPoll = leftMs > 0
    const head = await readHead(context, lane, before, isPoll)
    const hasMoved = noticeMove(context, lane, before, isPoll)
    refuseOnHead(context, lane.round, head)
    before = head
    const nowMs = clock.nowMs()
    // A clock that stands still does not make a lane wait forever.
    leftMs -= Math.max(nowMs - sinceMs, msPerPoll(handoverMs()))
    if (hasMoved) leftMs = msToTurn(lane.contention, nowMs, handoverMs())
    if (leftMs <= 0) {
      lane.contention &&= afterTurns(lane.contention)
      return
    }
  }
}

/** Reads the head, so that it is confirmed for all commands that have arrived. */
async function readHead<Kind extends LedgerTypes>(
  { kind, store, pollHead, limits }: LaneContext<Kind>,
  lane: Lane<Kind>,
  { terms }: CachedLedger<Kind>,
  isPoll: boolean,
): Promise<CachedLedger<Kind>> {
  const { auctionId, round, waiting } = lane
  const left = round.filter(isUndecided)
  lane.round = [...left, ...waiting.splice(0, limits.maxEntriesPerAppend - left.length)]
  const head = isPoll ? await pollHead(auctionId) : (await store.findHeads([auctionId]))[0]
  lane.cached = cachedAt(kind, terms, head)
  lane.confirmation = 'confirmed'
  return lane.cached
}
