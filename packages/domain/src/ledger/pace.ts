import type { Clock } from '../clock.ts'
import type { Store } from '../store.ts'

/** How long things take here. Others that share an auction ask the same store, and need about as long. */
export type Pace = {
  /** How long it takes to read a head and to append to it. */
  readonly handoverMs: number
  /** How long one process stores before it lets others go first: so long that handing over costs little beside it. */
  readonly turnMs: number
}

export type PaceKeeper = {
  /** The store, which is timed from then on. */
  readonly store: Store
  pace(): Pace
}

const handoversPerTurn = 8
const shortestTurnMs = 100
/** Turns take no more of a command's time than this part, since others have theirs before. */
const turnsPerDeadline = 10

export function createPaceKeeper(store: Store, clock: Clock, deadlineMs: number): PaceKeeper {
  const longestMs = deadlineMs / turnsPerDeadline
  const reads = createTimer(clock, longestMs)
  const appends = createTimer(clock, longestMs)
  return {
    store: {
      ...store,
      append: (entries) => appends.time(store.append(entries)),
      findHeads: (ids) => reads.time(store.findHeads(ids)),
    },
    pace() {
      const handoverMs = Math.min(Math.ceil(reads.averageMs() + appends.averageMs()), longestMs)
      return { handoverMs, turnMs: Math.min(Math.max(handoversPerTurn * handoverMs, shortestTurnMs), longestMs) }
    },
  }
}

// Small, so that a few slow answers do not make turns much longer than another process's.
const weightOfNew = 0.02

function createTimer(clock: Clock, longestMs: number) {
  let averageMs = 1
  return {
    averageMs: () => averageMs,
    async time<Value>(call: Promise<Value>): Promise<Value> {
      const startMs = clock.nowMs()
      const value = await call
      const tookMs = clock.nowMs() - startMs
      // A clock that was set meanwhile tells nothing.
      if (tookMs >= 0 && tookMs <= longestMs) averageMs += (tookMs - averageMs) * weightOfNew
      return value
    },
  }
}
