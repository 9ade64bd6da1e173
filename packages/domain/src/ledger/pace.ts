import type { Clock } from '../clock.ts'
import type { StoreOperation } from '../observer.ts'

/** Durations in this process. Other processes use the same store and need about as long. */
export type Pace = {
  /** The time of a read of a head and an append. */
  readonly handoverMs: number
}

export type PaceKeeper = {
  /** Starts to time a store call, if its time counts. Call the returned function at its end. */
  start(operation: StoreOperation): (() => void) | undefined
  pace(): Pace
}

/** The maximum part of a command's deadline that a handover may take, because others precede it. */
const handoversPerDeadline = 80

export function createPaceKeeper(clock: Pick<Clock, 'nowMs'>, deadlineMs: number): PaceKeeper {
  const longestMs = deadlineMs / handoversPerDeadline
  const reads = createTimer(clock, longestMs)
  const appends = createTimer(clock, longestMs)
  return {
    start(operation) {
      if (operation === 'append') return appends.start()
      return operation === 'findHeads' ? reads.start() : undefined
    },
    pace: () => ({ handoverMs: Math.min(Math.ceil(reads.averageMs() + appends.averageMs()), longestMs) }),
  }
}

// Small, so that a few slow calls do not make turns much longer than those of other processes.
const weightOfNew = 0.02

function createTimer(clock: Pick<Clock, 'nowMs'>, longestMs: number) {
  let averageMs = 1
  return {
    averageMs: () => averageMs,
    start() {
      const startMs = clock.nowMs()
      return () => {
        const tookMs = clock.nowMs() - startMs
        // Ignores a call during which the clock was set.
        if (tookMs >= 0 && tookMs <= longestMs) averageMs += (tookMs - averageMs) * weightOfNew
      }
    },
  }
}
