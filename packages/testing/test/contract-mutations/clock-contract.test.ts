import { type ClockSubject, clockContract } from '../../src/clock-contract.ts'
import { proveContract } from './prove-contract.ts'

const startMs = Date.parse('2030-01-31T12:00:00.250Z')

/** The pending callbacks, with a time that only a test changes. */
type Schedule = {
  readonly nowMs: () => number
  readonly add: (atMs: number, callback: () => void) => () => void
  readonly waitMs: (ms: number) => Promise<void>
}

function createSchedule(): Schedule {
  let nowMs = 0
  let timers: readonly { readonly atMs: number; readonly callback: () => void }[] = []
  return {
    nowMs: () => nowMs,
    add(atMs, callback) {
      const timer = { atMs, callback }
      timers = [...timers, timer].toSorted((a, b) => a.atMs - b.atMs)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async waitMs(ms) {
      const endMs = nowMs + ms
      for (let [next] = timers; next !== undefined && next.atMs <= endMs; [next] = timers) {
        timers = timers.slice(1)
        nowMs = Math.max(nowMs, next.atMs)
        next.callback()
      }
      nowMs = endMs
    },
  }
}

const after =
  ({ nowMs, add }: Schedule): ClockSubject['clock']['after'] =>
  (ms, callback) =>
    add(nowMs() + ms, callback)

/** A correct clock, with some operations replaced. */
function clockOf(wrong: (schedule: Schedule) => Partial<ClockSubject['clock']> = () => ({})): ClockSubject {
  let timeMs = startMs
  const schedule = createSchedule()
  return {
    clock: { nowMs: () => timeMs, after: after(schedule), ...wrong(schedule) },
    referenceMs: () => timeMs,
    letTimePass: async () => {
      timeMs += 1
    },
    stopwatchMs: schedule.nowMs,
    waitMs: schedule.waitMs,
  }
}

const idle = [
  () => clockOf(() => ({ nowMs: () => Number.NaN })),
  () => clockOf(() => ({ nowMs: () => startMs, after: () => () => undefined })),
]

proveContract(clockContract, clockOf, idle, [
  {
    bug: 'calls back before it returns',
    caughtBy: 'calls back only after it returns, even for a delay of 0',
    makeSubject: () =>
      clockOf(() => ({
        after: (_ms, callback) => {
          callback()
          return () => undefined
        },
      })),
  },
])
