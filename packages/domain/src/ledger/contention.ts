import type { BidId } from '../values/ids.ts'
import type { Pace } from './pace.ts'

/** A process that stores entries of an auction, by the block of ids that its last entry is from. */
type Writer = number

/**
 * The knowledge of a lane about other processes that serve its auction; undefined if it knows of none. The winner of a conflict would
 * win again, because the losers must first read the head. So the processes take turns: each stores one batch, in the order of their
 * last batches. The others learn of it by the head, which they read again and again while they wait. A process that leaves its turn
 * unused for a while loses its place until it stores again.
 */
export type Contention = {
  /** The others whose turn comes before that of this process. */
  readonly before: readonly Writer[]
  /** The others that have stored since this process did, the last one last. */
  readonly after: readonly Writer[]
  /** When the head was last seen to move. */
  readonly movedAtMs: number
  /** Whether this process has stored lately, so that others know of it. */
  readonly hasStored: boolean
  /** Whether others have stored since it did. */
  readonly hasMoved: boolean
  /** The number of consecutive batches of this process without an entry of others between them. */
  readonly batchesAlone: number
}

/** The number of consecutive batches without an entry of others after which a lane is alone again. */
const batchesToCalm = 4
/** The time that a process has for its turn: enough for one three times as far from the store, which has just read the head. */
const handoversPerTurn = 6
/**
 * The time after which a lane that was busy makes a pause. If pauses find no other process, the time doubles from the first to the
 * longest one. A process that has met no other one on any auction for a while always waits for the longest time.
 */
const firstMsToPause = 200
const longestMsToPause = 1_000
const msToForgetOthers = 60_000
const longestHandoversToPause = 100
/** The length of a pause: enough for a process that has just lost, and after the longest time for one that is farther. */
const handoversPerPause = 2
const handoversPerLongestPause = 4
/** The number of other processes that a lane remembers. */
const maxWriters = 64

/** Whether an append may conflict: others have stored a moment ago, and may do so again. */
export const isConflictLikely = (contention: Contention | undefined): boolean =>
  contention !== undefined && contention.before.length + contention.after.length > 0

/** The writer of an entry is known by its id, because each process has its blocks. The next block of a process looks like another one. */
export const writerOf = (id: BidId, idsPerBlock: number): Writer => Math.floor((id - 1) / idsPerBlock)

/** How long a lane that can store its next batch leaves the ledger to others. */
export function msToTurn({ before, movedAtMs }: Contention, nowMs: number, { handoverMs }: Pace): number {
  // A clock that was set back must not extend it.
  const passedMs = Math.max(0, nowMs - movedAtMs)
  return Math.max(0, before.length * handoversPerTurn * handoverMs - passedMs)
}

/** Whether the others wait until this process has stored, so that the head is likely to be the last entry. */
export const isReserved = ({ before, after, hasStored, movedAtMs }: Contention, nowMs: number, { handoverMs }: Pace) =>
  hasStored && before.length === 0 && after.length > 0 && nowMs - movedAtMs < handoversPerTurn * handoverMs

/**
 * How long a lane pauses that was busy for a while: it can starve a slower process, without a conflict. 0 if it need not.
 * @param pauses those since it was idle that found no other process
 * @param metOthersAtMs when an entry of another process was last found, on any auction
 */
export function msToPause(
  contention: Contention | undefined,
  { busySinceMs, pauses }: { readonly busySinceMs: number; readonly pauses: number },
  { nowMs, metOthersAtMs }: { readonly nowMs: number; readonly metOthersAtMs: number },
  { handoverMs }: Pace,
): number {
  if (contention?.hasStored === false) return 0
  const longestMs = Math.max(longestHandoversToPause * handoverMs, longestMsToPause)
  const isEarly = contention === undefined && nowMs - metOthersAtMs < msToForgetOthers
  const busyMs = isEarly ? Math.min(firstMsToPause * 2 ** pauses, longestMs) : longestMs
  if (nowMs - busySinceMs < busyMs) return 0
  return (busyMs < longestMs ? handoversPerPause : handoversPerLongestPause) * handoverMs
}

/**
 * Another process has stored, so the turns of those before it have passed. It has a turn from now on if it bids at the same time as this
 * process: it was first although this one had just read the head, or stored while this one waited. If the lists are old, no process waits.
 */
export function afterMove(
  contention: Contention | undefined,
  writer: Writer,
  { nowMs, isConcurrent }: { readonly nowMs: number; readonly isConcurrent: boolean },
  pace: Pace,
): Contention {
  const isRecent = contention !== undefined && !isOver(contention, nowMs, pace)
  const moved = { movedAtMs: nowMs, hasMoved: true, batchesAlone: 0 }
  if (!isRecent) return { ...moved, before: [], after: isConcurrent ? [writer] : [], hasStored: false }
  const { before, after, hasStored } = contention
  if (before.includes(writer))
    return { ...moved, before: before.slice(before.indexOf(writer) + 1), after: [...after, writer], hasStored }
  if (after.includes(writer))
    return { ...moved, before: [], after: [...after.slice(after.indexOf(writer) + 1), writer], hasStored }
  if (!isConcurrent) return { ...moved, before, after, hasStored }
  return { ...moved, before, after: [...after, writer].slice(-maxWriters), hasStored }
}

/** The others have left their turns unused, and lose their places. */
export const afterTurns = (contention: Contention): Contention => ({ ...contention, before: [] })

/** No process has stored, so each has left its turn unused. */
const isOver = ({ before, after, movedAtMs }: Contention, nowMs: number, { handoverMs }: Pace): boolean =>
  nowMs - movedAtMs > (before.length + after.length + 1) * handoversPerTurn * handoverMs

/** A batch was stored. Returns undefined if no others have stored for several batches. */
export function afterStored(contention: Contention, nowMs: number, pace: Pace): Contention | undefined {
  const batchesAlone = contention.hasMoved ? 0 : contention.batchesAlone + 1
  if (batchesAlone >= batchesToCalm) return undefined
  const before = isOver(contention, nowMs, pace) ? [] : contention.after
  return { before, after: [], movedAtMs: nowMs, hasStored: true, hasMoved: false, batchesAlone }
}
