import type { Pace } from './pace.ts'

/**
 * What a lane knows of other processes that serve its auction; undefined while it knows of none. Whoever was first last time is
 * first again next time, as the loser has to read what the winner knows already. So those who share an auction take turns: one
 * stores batch after batch for a while, then leaves the ledger to the others for as long, and looks whether they have used it.
 */
export type Contention = Trying | Storing | Waiting

type Shared = {
  /** Turns of others in a row that nobody used. */
  readonly unusedTurns: number
}
/** The head was read just now, but others may have their turn: what is sent may conflict. */
type Trying = Shared & { readonly phase: 'trying'; readonly conflicts: number }
/** It is the turn of this process. */
type Storing = Shared & { readonly phase: 'storing'; readonly sinceMs: number }
/** It is the turn of others. When it is over, the head has to be read. */
export type Waiting = Shared & { readonly phase: 'waiting'; readonly untilMs: number; readonly conflicts: number }

/** After so many turns in a row that nobody used, a lane is alone again. */
const unusedTurnsToCalm = 2
/** After so many turns without a pause, a lane that knows of no others looks whether there are any. */
const turnsToPause = 10
/** How long it leaves the ledger to them then: long enough for a process from which the store is farther. */
const handoversPerPause = 4
/** So many tries in a row are made at once. Before later ones there are pauses, so that many tries do not hold each other up. */
const triesAtOnce = 3
const goldenRatio = (Math.sqrt(5) - 1) / 2

/** Another process was first, which took so long to find out, and the head that it made was read. */
export function afterConflict(
  contention: Contention | undefined,
  tookMs: number,
  nowMs: number,
  { turnMs, handoverMs }: Pace,
): Trying | Waiting {
  // Others have begun their turn.
  if (contention?.phase === 'storing') {
    return { phase: 'waiting', untilMs: nowMs + turnMs, conflicts: 0, unusedTurns: 0 }
  }
  const conflicts = (contention?.conflicts ?? 0) + 1
  if (conflicts <= triesAtOnce) return { phase: 'trying', conflicts, unusedTurns: 0 }
  // No two in a row are alike, or the tries of two processes could meet again and again.
  const part = 0.5 + ((conflicts * goldenRatio) % 1)
  const pauseMs = Math.min(part * Math.max(2 * tookMs, handoverMs), turnMs)
  return { phase: 'waiting', untilMs: nowMs + pauseMs, conflicts, unusedTurns: 0 }
}

/**
 * A lane that stores batch after batch leaves no time to a process that needs longer for a batch, and never hears of it: so a lane
 * that has had no pause for long makes one, and looks whether anybody has used it.
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
  // A clock that was set back would make the turn endless.
  if (tookMs >= 0 && tookMs < turnMs) return { phase: 'storing', sinceMs, unusedTurns }
  return { phase: 'waiting', untilMs: nowMs + turnMs + handoverMs, conflicts: 0, unusedTurns }
}

/** The turn of others is over, and the head was read: whether it has moved tells whether they have used it. */
export function afterWaiting({ conflicts, unusedTurns }: Waiting, hasMoved: boolean): Trying | undefined {
  if (hasMoved) return { phase: 'trying', conflicts, unusedTurns: 0 }
  const unused = unusedTurns + 1
  return unused < unusedTurnsToCalm ? { phase: 'trying', conflicts, unusedTurns: unused } : undefined
}
