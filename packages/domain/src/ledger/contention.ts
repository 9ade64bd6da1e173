/**
 * What a lane knows of other processes that serve its auction. Whoever was first last time is the first again next time, as the
 * loser has to read what the winner knows already. So those who share an auction take turns: a lane that has met a conflict makes
 * a pause after some batches, as long as another process needs to read and append. A pause that nobody uses ends it.
 */
export type Contention = { storedInTurn: number; hasPaused: boolean; unusedPauses: number }

/** How many batches a lane stores before it lets others go first. */
const batchesPerTurn = 4
/** After so many pauses in a row that nobody used, a lane is alone again. */
const unusedPausesToCalm = 2

export const createContention = (): Contention => ({ storedInTurn: 0, hasPaused: false, unusedPauses: 0 })

/** Another process was first. */
export function recordConflict(contention: Contention): void {
  contention.unusedPauses = 0
  contention.hasPaused = false
  contention.storedInTurn = 0
}

/** A batch was stored. Tells what comes next: a pause, or nothing, or that the lane is alone again. */
export function recordTurn(contention: Contention): 'go-on' | 'pause' | 'calm' {
  if (contention.hasPaused) {
    contention.unusedPauses += 1
    if (contention.unusedPauses >= unusedPausesToCalm) return 'calm'
  }
  contention.hasPaused = false
  contention.storedInTurn += 1
  if (contention.storedInTurn < batchesPerTurn) return 'go-on'
  contention.storedInTurn = 0
  contention.hasPaused = true
  return 'pause'
}

/** How long this process needs to read and append; another one will need about as long. */
export type Pace = {
  record(ms: number): void
  /** A pause in which another process can surely read and append, in milliseconds. */
  pauseMs(): number
}

const weightOfNew = 0.2
const longestPauseMs = 250

export function createPace(): Pace {
  let averageMs = 1
  return {
    record(ms) {
      // A clock that was set meanwhile tells nothing.
      if (ms >= 0 && ms <= 10 * longestPauseMs) averageMs += (ms - averageMs) * weightOfNew
    },
    pauseMs: () => Math.min(Math.ceil(2 * averageMs) + 1, longestPauseMs),
  }
}
