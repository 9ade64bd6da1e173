import type { Clock } from './clock.ts'
import type { CallSignal } from './store/store.ts'

/** A waiter with a time limit. */
export type Waiter = {
  /** Called once when the time is over, unless `end` is called first. */
  onLate(): void
  /** Set by the limit: the place among its waiters, and the tick of the start. */
  index?: number | undefined
  startTick?: number
}

/** One time limit for any number of waiters. */
export type TimeLimit = {
  readonly ms: number
  /** Starts the time of a waiter. */
  start(waiter: Waiter): void
  end(waiter: Waiter): void
}

/** A limit ends within its last fifth, never late. Ticks are cheaper than one timer per waiter. */
const ticksPerLimit = 10

/** Creates a time limit. Its timer runs only while it has waiters. */
export function createTimeLimit(clock: Pick<Clock, 'after'>, ms: number): TimeLimit {
  let tick = 0
  let isTicking = false
  // Not a Map: each table that it outgrows references the next, so waiters stayed in memory until a full garbage collection, which
  // took a third of the time of a bid.
  const waiters: Waiter[] = []

  function scheduleTick(): void {
    isTicking = true
    clock.after(ms / ticksPerLimit, onTick)
  }

  function onTick(): void {
    tick += 1
    isTicking = false
    // A waiter started within its tick, so one tick less than the limit is within the limit.
    const late = waiters.filter(({ startTick = tick }) => tick - startTick >= ticksPerLimit - 1)
    for (const waiter of late) if (remove(waiter)) waiter.onLate()
    // A waiter may have started during the loop.
    if (waiters.length > 0 && !isTicking) scheduleTick()
  }

  /** Moves the last waiter to the place of the removed one. Returns whether it was waiting. */
  function remove(waiter: Waiter): boolean {
    const { index } = waiter
    const last = waiters.at(-1)
    if (index === undefined || last === undefined) return false
    waiters[index] = last
    last.index = index
    waiters.pop()
    waiter.index = undefined
    return true
  }

  return {
    ms,
    start(waiter) {
      waiter.index = waiters.length
      waiter.startTick = tick
      waiters.push(waiter)
      if (!isTicking) scheduleTick()
    },
    end: (waiter) => void remove(waiter),
  }
}

/**
 * A call with a time limit: its waiter, and the signal of its work. A class, because V8 makes a hidden class for each object literal with
 * a getter, which is for each call of the store.
 */
class LimitedCall implements Waiter, CallSignal {
  index: number | undefined = undefined
  startTick = 0
  private isLate = false
  private readonly caller: CallSignal | undefined
  private readonly fail: () => void

  constructor(caller: CallSignal | undefined, fail: () => void) {
    this.caller = caller
    this.fail = fail
  }

  get aborted(): boolean {
    return this.isLate || this.caller?.aborted === true
  }

  onLate(): void {
    this.isLate = true
    this.fail()
  }
}

/**
 * Runs work with a time limit. If the limit ends first, rejects with `lateError` and aborts the signal of the work, which continues.
 * The signal of the caller aborts it too.
 */
export function withinTime<Value>(
  limit: TimeLimit,
  work: (signal: CallSignal) => Promise<Value>,
  lateError: () => Error,
  caller?: CallSignal,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const call = new LimitedCall(caller, () => reject(lateError()))
    limit.start(call)
    const fail = (error: unknown) => {
      limit.end(call)
      reject(error)
    }
    try {
      work(call).then((value) => {
        limit.end(call)
        resolve(value)
      }, fail)
    } catch (error) {
      fail(error)
    }
  })
}
