import type { Clock } from './clock.ts'
import type { CallSignal } from './store.ts'

/** A waiter with a time limit. */
export type Waiter = {
  /** Called once when the time is over, unless `end` is called first. */
  onLate(): void
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
  /** The start tick of each waiter, in order. */
  const waiters = new Map<Waiter, number>()

  function scheduleTick(): void {
    isTicking = true
    clock.after(ms / ticksPerLimit, onTick)
  }

  function onTick(): void {
    tick += 1
    isTicking = false
    for (const [waiter, begunInTick] of waiters) {
      // The waiter started within its tick, so one tick less than the limit is within the limit.
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

/** A class, because V8 makes a hidden class for each object literal with a getter, here one for each call of the store. */
class LateSignal implements CallSignal {
  isLate = false
  private readonly caller: CallSignal | undefined

  constructor(caller: CallSignal | undefined) {
    this.caller = caller
  }

  get aborted(): boolean {
    return this.isLate || this.caller?.aborted === true
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
    const signal = new LateSignal(caller)
    const waiter = {
      onLate() {
        signal.isLate = true
        reject(lateError())
      },
    }
    limit.start(waiter)
    async function run(): Promise<void> {
      try {
        resolve(await work(signal))
      } catch (error) {
        reject(error)
      } finally {
        limit.end(waiter)
      }
    }
    void run()
  })
}
