import type { Clock } from '@auction/domain'
import { createCallsInFlight } from '@auction/domain/closable'

/** Runs tasks in turns: each one again, behind the others, until it has no more to do. */
export type Scheduler<Task> = {
  /** Adds a task, which starts at once if it may. */
  add(task: Task): void
  /** Ends all pauses, and starts the tasks that may start now. */
  wakeAll(): void
  /** The number of tasks that wait for their turns, without those that pause. */
  readonly waiting: () => number
  /** Starts nothing more. Resolves when no task runs. */
  close(): Promise<void>
}

export type SchedulerParts<Task> = {
  readonly clock: Pick<Clock, 'after'>
  /** The maximum number of tasks that run at once. */
  readonly maxRunning: number
  readonly mayStart: (task: Task) => boolean
  /** One turn of a task. Returns the pause before the next one, in milliseconds; undefined if the task is done. It never rejects. */
  readonly run: (task: Task) => Promise<number | undefined>
}

export function createScheduler<Task>({ clock, maxRunning, mayStart, run }: SchedulerParts<Task>): Scheduler<Task> {
  const waiting = new Set<Task>()
  /** The functions that cancel the timers of pauses. */
  const pauses = new Map<Task, () => void>()
  const running = createCallsInFlight()
  let isClosed = false

  function startAll(): void {
    for (const task of waiting) {
      if (isClosed || running.count() >= maxRunning || !mayStart(task)) return
      waiting.delete(task)
      // The tasks that follow start when it has left those that run.
      void running.during(run(task)).then((pauseMs) => afterRun(task, pauseMs))
    }
  }

  function afterRun(task: Task, pauseMs: number | undefined): void {
    if (pauseMs === 0) waiting.add(task)
    else if (pauseMs !== undefined && !isClosed)
      pauses.set(
        task,
        clock.after(pauseMs, () => {
          endPause(task)
          startAll()
        }),
      )
    startAll()
  }

  function endPause(task: Task): void {
    pauses.get(task)?.()
    pauses.delete(task)
    waiting.add(task)
  }

  return {
    add(task) {
      waiting.add(task)
      startAll()
    },
    wakeAll() {
      for (const task of pauses.keys()) endPause(task)
      startAll()
    },
    waiting: () => waiting.size,
    close() {
      isClosed = true
      for (const cancel of pauses.values()) cancel()
      return running.ended()
    },
  }
}
