import { type Pace, shortestTurnMs } from './pace.ts'

/**
 * The knowledge of a lane about other processes that serve its auction; undefined if it knows of none. The winner of a conflict would
 * win again, because the loser must first read the head. So the processes take turns: one stores batches for a while, then pauses for as
 * long, and checks whether the others have appended.
 */
export type Contention = Trying | Storing | Waiting

type Shared = {
  /** Consecutive turns of other processes without an append. */
  readonly unusedTurns: number
}
/** The head was just read, but others may have their turn: an append may conflict. */
type Trying = Shared & { readonly phase: 'trying'; readonly conflicts: number }
/** It is the turn of this process. */
type Storing = Shared & { readonly phase: 'storing'; readonly sinceMs: number }
/** It is the turn of others. When it is over, the head has to be read. */
export type Waiting = Shared & { readonly phase: 'waiting'; readonly untilMs: number; readonly conflicts: number }

/** The number of consecutive unused turns after which a lane is alone again. */
const unusedTurnsToCalm = 2
/** The number of turns without a pause after which a lane without conflicts checks for other processes. */
const turnsToPause = 10
/** The length of that pause: long enough for a process with a slower connection to the store. */
const handoversPerPause = 4
/** The number of immediate tries. Later tries follow pauses, so that many tries do not delay each other. */
const triesAtOnce = 3
const goldenRatio = (Math.sqrt(5) - 1) / 2

/** Another process was first. `tookMs` is the time until that was known; its head was read. */
export function afterConflict(
  contention: Contention | undefined,
  tookMs: number,
  nowMs: number,
  { turnMs, handoverMs }: Pace,
): Trying | Waiting {
  // Others have begun their turn. It may be shorter than a turn here, and its winner does not wait for long.
  if (contention?.phase === 'storing') {
    const untilMs = nowMs + Math.min(turnMs, shortestTurnMs)
    return { phase: 'waiting', untilMs, conflicts: 0, unusedTurns: 0 }
  }
  const conflicts = (contention?.conflicts ?? 0) + 1
  if (conflicts <= triesAtOnce) return { phase: 'trying', conflicts, unusedTurns: 0 }
  // No two pauses in a row are equal, or the tries of two processes could conflict repeatedly.
  const part = 0.5 + ((conflicts * goldenRatio) % 1)
  const pauseMs = Math.min(part * Math.max(2 * tookMs, handoverMs), turnMs)
  return { phase: 'waiting', untilMs: nowMs + pauseMs, conflicts, unusedTurns: 0 }
}

/**
 * A lane that stores batches continuously can starve a slower process without a conflict. So a lane without a recent pause makes one,
 * and checks whether another process has appended.
 */
export function afterBusy(busyMs: number, nowMs: number, { turnMs, handoverMs }: Pace): Waiting | undefined {
  if (busyMs < turnsToPause * turnMs) return undefined
  const untilMs = nowMs + handoversPerPause * handoverMs
  return { phase: 'waiting', untilMs, conflicts: 0, unusedTurns: unusedTurnsToCalm - 1 }
}

/** A batch was stored. */
export function afterStored(contention: Contention, nowMs: number, { turnMs, handoverMs }: Pace): Storing | Waiting {
  const { unusedTurns } = contention
  const sinceMs = contention.phase === 'storing' ? contention.sinceMs : nowMs
  const tookMs = nowMs - sinceMs
  // Otherwise a clock that was set back would make the turn endless.
  if (tookMs >= 0 && tookMs < turnMs) return { phase: 'storing', sinceMs, unusedTurns }
  return { phase: 'waiting', untilMs: nowMs + turnMs + handoverMs, conflicts: 0, unusedTurns }
}

/** The turn of others is over, and the head was read. If it has changed, they have used their turn. */
export function afterWaiting({ conflicts, unusedTurns }: Waiting, hasMoved: boolean): Trying | undefined {
  if (hasMoved) return { phase: 'trying', conflicts, unusedTurns: 0 }
  const unused = unusedTurns + 1
  return unused < unusedTurnsToCalm ? { phase: 'trying', conflicts, unusedTurns: unused } : undefined
}
