import type { Clock } from '../clock.ts'
import type { SafeObserver } from '../observer.ts'
import { type Outcome, StoreUnavailableError } from '../store-unavailable.ts'
import { fail, type PendingCommand } from './pending-command.ts'

export type Deadlines = {
  /** Starts the deadline of a command that arrives now; returns the tick in which it arrived. */
  startOne(): number
}

/** A deadline is met to a tenth of itself. Time is counted in ticks of that length, as a timer for each command would cost more. */
const ticksPerDeadline = 10

/** Ends commands whose time is over, whatever the store does. While nothing is under way, no timer runs. */
export function createDeadlines(
  clock: Clock,
  deadlineMs: number,
  allPending: () => Iterable<PendingCommand>,
  observer?: SafeObserver,
): Deadlines {
  let tick = 0
  let isTicking = false

  function scheduleTick(): void {
    isTicking = true
    clock.after(deadlineMs / ticksPerDeadline, onTick)
  }

  function onTick(): void {
    tick += 1
    isTicking = false
    let isAnyLeft = false
    for (const pending of allPending()) {
      if (pending.isSettled) continue
      // It arrived at some moment of its tick, so one tick less than the deadline has surely not passed the deadline.
      if (tick - pending.arrivedInTick < ticksPerDeadline - 1) isAnyLeft = true
      else {
        const outcome = giveUp(pending, deadlineMs)
        observer?.onDeadline(outcome)
      }
    }
    if (isAnyLeft) scheduleTick()
  }

  return {
    startOne() {
      if (!isTicking) scheduleTick()
      return tick
    },
  }
}

function giveUp(pending: PendingCommand, deadlineMs: number): Outcome {
  const { batch } = pending
  const isSent = batch?.isSent ?? false
  if (batch !== undefined) {
    batch.awaited -= 1
    // What was not sent yet never will be. What was sent is not sent again for nobody: a store that hangs would let it pile up.
    if (!isSent || batch.awaited === 0) batch.isWithdrawn = true
  }
  const outcome = isSent ? 'unknown' : 'nothing-changed'
  fail(pending, new StoreUnavailableError(`the store has not done it within ${deadlineMs} ms`, { outcome }))
  return outcome
}
