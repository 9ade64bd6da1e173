import type { Clock } from '../clock.ts'
import type { StoreOperation } from '../observer.ts'

/** How long things take here. Others that share an auction ask the same store, and need about as long. */
export type Pace = {
  /** How long it takes to read a head and to append to it. */
  readonly handoverMs: number
  /** How long one process stores before it lets others go first: so long that handing over costs little beside it. */
  readonly turnMs: number
}

export type PaceKeeper = {
  /** Times a call of the store that begins now, if its time counts. What is returned is called when it has answered. */
  start(operation: StoreOperation): (() => void) | undefined
  pace(): Pace
}

const handoversPerTurn = 8
const shortestTurnMs = 100
/** Turns take no more of a command's time than this part, since others have theirs before. */
const turnsPerDeadline = 10

export function createPaceKeeper(clock: Pick<Clock, 'nowMs'>, deadlineMs: number): PaceKeeper {
  const longestMs = deadlineMs / turnsPerDeadline
  const reads = createTimer(clock, longestMs)
  const appends = createTimer(clock, longestMs)
  return {
    start(operation) {
      if (operation === 'append') return appends.start()
      return operation === 'findHeads' ? reads.start() : undefined
    },
    pace() {
      const handoverMs = Math.min(Math.ceil(reads.averageMs() + appends.averageMs()), longestMs)
      return { handoverMs, turnMs: Math.min(Math.max(handoversPerTurn * handoverMs, shortestTurnMs), longestMs) }
    },
  }
}

// Small, so that a few slow answers do not make turns much longer than another process's.
const weightOfNew = 0.02

function createTimer(clock: Pick<Clock, 'nowMs'>, longestMs: number) {
  let averageMs = 1
  return {
    averageMs: () => averageMs,
    start() {
      const startMs = clock.nowMs()
      return () => {
        const tookMs = clock.nowMs() - startMs
        // A clock that was set meanwhile tells nothing.
        if (tookMs >= 0 && tookMs <= longestMs) averageMs += (tookMs - averageMs) * weightOfNew
      }
    },
  }
}
