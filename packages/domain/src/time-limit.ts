import type { Clock } from './clock.ts'
import { createInFlight, type Indexed } from './in-flight.ts'
import type { CallSignal } from './store/store.ts'

export type Waiter = Indexed & {
  /** Called once when the time is over, unless `end` is called first. */
  onLate(): void
  /** The tick of the start. The limit sets it. */
  startTick?: number
}

/** One time limit for any number of waiters. */
export type TimeLimit = {
  readonly ms: number
  start(waiter: Waiter): void
  end(waiter: Waiter): void
}

/** A limit ends within its last fifth, never late. Ticks are cheaper than one timer per waiter. */
const ticksPerLimit = 10

/** Creates a time limit. Its timer runs only while it has waiters. */
export function createTimeLimit(clock: Pick<Clock, 'after'>, ms: number): TimeLimit {
  let tick = 0
  let isTicking = false
  const waiters = createInFlight<Waiter>()

  function scheduleTick(): void {
    isTicking = true
    clock.after(ms / ticksPerLimit, onTick)
  }

  function onTick(): void {
    tick += 1
    isTicking = false
    // A waiter started within its tick, so one tick less than the limit is within the limit.
    const late = waiters.all.filter(({ startTick = tick }) => tick - startTick >= ticksPerLimit - 1)
    for (const waiter of late) if (waiters.remove(waiter)) waiter.onLate()
    // A waiter may have started during the loop.
    if (waiters.all.length > 0 && !isTicking) scheduleTick()
  }

  return {
    ms,
    start(waiter) {
      waiter.startTick = tick
      waiters.add(waiter)
      if (!isTicking) scheduleTick()
    },
    end: (waiter) => void waiters.remove(waiter),
  }
}

/**
 * A call with a time limit: its waiter, and the signal of its work. A class, because V8 makes a hidden class for each
 * object literal with a getter, which is for each call of the store.
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
 * Runs work with a time limit. If the limit ends first, rejects with `lateError` and aborts the signal of the work,
 * which continues. The signal of the caller aborts it too.
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

/** A list starts no read after this share of the deadline: one may call the store twice, for a share of 0.4 each. */
const shareOfLists = 0.2

/** Starts the time of a list. Its function is true when the list must stop reading; the page is then short. */
export function createListTime(clock: Pick<Clock, 'nowMs'>, deadlineMs: number): () => boolean {
  const startMs = clock.nowMs()
  return () => clock.nowMs() - startMs >= shareOfLists * deadlineMs
}
