import type { Clock } from './clock.ts'
import type { CallSignal } from './store.ts'

/** Somebody whose time is limited. */
export type Waiter = {
  /** The time is over. Called once, unless the waiter is ended before. */
  onLate(): void
}

/** One length of time for any number of waiters. */
export type TimeLimit = {
  readonly ms: number
  /** Starts the waiter's time. */
  start(waiter: Waiter): void
  end(waiter: Waiter): void
}

/** A limit ends in its last fifth, and never late: time is counted in ticks, as a timer for each waiter would cost more. */
const ticksPerLimit = 10

/** While nobody waits, no timer runs. */
export function createTimeLimit(clock: Pick<Clock, 'after'>, ms: number): TimeLimit {
  let tick = 0
  let isTicking = false
  /** With the tick in which each began, in that order. */
  const waiters = new Map<Waiter, number>()

  function scheduleTick(): void {
    isTicking = true
    clock.after(ms / ticksPerLimit, onTick)
  }

  function onTick(): void {
    tick += 1
    isTicking = false
    for (const [waiter, begunInTick] of waiters) {
      // It began at some moment of its tick, so after one tick less than the limit it has surely not passed the limit.
      if (tick - begunInTick < ticksPerLimit - 1) break
      waiters.delete(waiter)
      waiter.onLate()
    }
    if (waiters.size > 0) scheduleTick()
  }

  return {
    ms,
    start(waiter) {
      waiters.set(waiter, tick)
      if (!isTicking) scheduleTick()
    },
    end: (waiter) => void waiters.delete(waiter),
  }
}

/**
 * What the work results in, or the error that `lateError` makes when that takes too long. The work goes on then; its signal tells that
 * nobody waits for it any more, which the caller's own signal may tell before.
 */
export function withinTime<Value>(
  limit: TimeLimit,
  work: (signal: CallSignal) => Promise<Value>,
  lateError: () => Error,
  caller?: CallSignal,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const signal = {
      get aborted() {
        return isLate || caller?.aborted === true
      },
    }
    const waiter = {
      onLate() {
        isLate = true
        reject(lateError())
      },
    }
    limit.start(waiter)
    // In a function of its own, so that work that throws at once is as work that rejects.
    const answer = (async () => work(signal))()
    answer.then(resolve, reject).finally(() => limit.end(waiter))
  })
}
