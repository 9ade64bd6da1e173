import type { Pace } from './pace.ts'

/**
 * The knowledge of a lane about other processes that serve its auction; undefined if it knows of none. The winner of a conflict would
 * win again, because the loser must first read the head. So the processes take turns: one stores batches for a while, then leaves the
 * ledger to others. A turn ends early when few commands wait, because the clients are then at other processes. Those notice it by the
 * head, which they read again and again while they wait.
 */
export type Contention = Trying | Storing | Waiting

type Shared = {
  /** How often in a row the lane left the ledger to others, and found no entry of theirs. */
  readonly unusedTurns: number
}
/** The head was just read, but others may append, too: an append may conflict. */
type Trying = Shared & {
  readonly phase: 'trying'
  readonly conflicts: number
  /** When the turn began that the conflicts have interrupted, if any. */
  readonly sinceMs: number | undefined
}
/** It is the turn of this process, whose head is the last entry. */
type Storing = Shared & {
  readonly phase: 'storing'
  readonly sinceMs: number
  readonly storedAtMs: number
  readonly largestBatch: number
}
/** The ledger is left to others. Then the head has to be read. */
export type Waiting = Shared & {
  readonly phase: 'waiting'
  readonly conflicts: number
  readonly sinceMs: number
  /** The longest time for which the lane waits. */
  readonly longestMs: number
  /** The time that others have for their first entry. */
  readonly beginWithinMs: number
  /** The time for which the head must not move after that. 0 if the lane tries as soon as it has moved. */
  readonly quietMs: number
}

/** Whether an append may conflict: others were first, or wait for the end of a turn. After one look at the head that is unlikely. */
export const isConflictLikely = (contention: Contention | undefined): boolean =>
  contention?.phase === 'storing' || (contention?.phase === 'trying' && contention.conflicts > 0)

/** The number of consecutive unused turns after which a lane is alone again. */
const unusedTurnsToCalm = 4
/** The part of the largest batch of a turn that has to wait for the turn to continue. */
const leastPartOfBatch = 0.6
/** The number of turns without a pause after which a lane without conflicts checks for other processes. */
const turnsToPause = 10
/** The length of that pause: long enough for a process with a slower connection to the store. */
const handoversPerPause = 4
/** The time that others have after a full turn for their first entry, and then between entries: enough for one three times as far. */
const handoversToBegin = 12
const handoversBetweenEntries = 6
/** The number of immediate tries. Later tries follow pauses, so that many tries do not delay each other. */
const triesAtOnce = 3
const goldenRatio = (Math.sqrt(5) - 1) / 2

/** Another process was first. Its head was read. */
export function afterConflict(
  contention: Contention | undefined,
  nowMs: number,
  { turnMs, handoverMs }: Pace,
): Trying | Waiting {
  const conflicts = contention?.phase === 'trying' ? contention.conflicts + 1 : 1
  const sinceMs = contention?.phase === 'waiting' ? undefined : contention?.sinceMs
  if (conflicts < triesAtOnce) return { phase: 'trying', conflicts, sinceMs, unusedTurns: 0 }
  // No two pauses in a row are equal, or the tries of two processes could conflict repeatedly.
  const beginWithinMs = (0.5 + ((conflicts * goldenRatio) % 1)) * handoverMs
  return { phase: 'waiting', conflicts, sinceMs: nowMs, longestMs: turnMs, beginWithinMs, quietMs: 0, unusedTurns: 0 }
}

/**
 * Whether the lane leaves the ledger to others before it stores a batch of this size. Without knowledge of others it makes a pause
 * now and then, because it can starve a slower process without a conflict.
 */
export function beforeBatch(
  contention: Contention | undefined,
  batch: { readonly size: number; readonly busySinceMs: number },
  nowMs: number,
  { turnMs, handoverMs }: Pace,
): Contention | undefined {
  const waiting = { phase: 'waiting', conflicts: 0, sinceMs: nowMs, quietMs: 0 } as const
  if (contention === undefined) {
    if (nowMs - batch.busySinceMs < turnsToPause * turnMs) return undefined
    const longestMs = handoversPerPause * handoverMs
    return { ...waiting, longestMs, beginWithinMs: longestMs, unusedTurns: unusedTurnsToCalm - 1 }
  }
  if (contention.phase !== 'storing') return contention
  const { storedAtMs, largestBatch } = contention
  // A lane that was idle since, or has few commands, gives up its turn: it reads the head first.
  if (storedAtMs >= batch.busySinceMs && batch.size >= leastPartOfBatch * largestBatch) return contention
  return { ...waiting, longestMs: 0, beginWithinMs: 0, unusedTurns: contention.unusedTurns }
}

/** A batch was stored. */
export function afterStored(
  contention: Contention,
  size: number,
  nowMs: number,
  { turnMs, handoverMs }: Pace,
): Storing | Waiting {
  const { unusedTurns } = contention
  const sinceMs = (contention.phase === 'waiting' ? undefined : contention.sinceMs) ?? nowMs
  const tookMs = nowMs - sinceMs
  // A clock that was set back ends the turn, or it would be endless.
  if (tookMs >= 0 && tookMs < turnMs) {
    const largestBatch = Math.max(size, contention.phase === 'storing' ? contention.largestBatch : 0)
    return { phase: 'storing', sinceMs, storedAtMs: nowMs, largestBatch, unusedTurns }
  }
  const beginWithinMs = Math.min(handoversToBegin * handoverMs, turnMs)
  const quietMs = handoversBetweenEntries * handoverMs
  return {
    phase: 'waiting',
    conflicts: 0,
    sinceMs: nowMs,
    longestMs: turnMs + handoverMs,
    beginWithinMs,
    quietMs,
    unusedTurns,
  }
}

/** The lane has left the ledger to others for long enough. If the head has moved, others are there. */
export function afterWaiting({ conflicts, unusedTurns }: Waiting, hasMoved: boolean): Trying | undefined {
  const unused = hasMoved ? 0 : unusedTurns + 1
  return unused < unusedTurnsToCalm
    ? { phase: 'trying', conflicts, sinceMs: undefined, unusedTurns: unused }
    : undefined
}
