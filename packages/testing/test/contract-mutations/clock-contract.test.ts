import { type ClockSubject, clockContract } from '../../src/clock-contract.ts'
import { type CaughtBy, type Mutation, proveContract } from './prove-contract.ts'

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

type After = ClockSubject['clock']['after']

const rightAfter =
  ({ nowMs, add }: Schedule): After =>
  (ms, callback) =>
    add(nowMs() + ms, callback)

/** A clock whose readings and callbacks have a bug. */
function clockOf<Answer>(
  answer: (timeMs: number, reading: number) => Answer,
  after: (schedule: Schedule) => After = rightAfter,
): ClockSubject {
  let timeMs = startMs
  let readings = 0
  const schedule = createSchedule()
  return {
    clock: {
      nowMs: () => answer(timeMs, ++readings) as number, // Some of these results are not numbers, which is the bug.
      after: after(schedule),
    },
    referenceMs: () => timeMs,
    letTimePass: async () => {
      timeMs += 1
    },
    stopwatchMs: schedule.nowMs,
    waitMs: schedule.waitMs,
  }
}

const whole = 'returns whole milliseconds, as a number that a date can hold'
const right = 'returns the time since 1970 in UTC'
const goesOn = 'advances only as time passes'

const telling = <Answer>(
  bug: string,
  caughtBy: CaughtBy,
  answer: (timeMs: number, reading: number) => Answer,
): Mutation<ClockSubject> => ({ bug, makeSubject: () => clockOf(answer), caughtBy })

const inTime = 'calls back when the time has passed, and not before'
const later = 'calls back only after it returns, even for a delay of 0'
const once = 'calls back once'
const ordered = 'calls back in the order of the times, regardless of the order of the calls'
const calledOff = 'does not call a cancelled callback, and cancels no other'

const callingBack = (
  bug: string,
  caughtBy: CaughtBy,
  after: (schedule: Schedule) => After,
): Mutation<ClockSubject> => ({ bug, makeSubject: () => clockOf((timeMs) => timeMs, after), caughtBy })

const nothing = () => undefined

proveContract(clockContract, () => clockOf((timeMs) => timeMs), [
  telling('returns fractions', [whole, right], (timeMs) => timeMs + 0.25),
  telling('returns NaN', [whole, right], () => Number.NaN),
  telling('returns a date', whole, (timeMs) => new Date(timeMs)),
  telling('returns a text', whole, (timeMs) => new Date(timeMs).toISOString()),
  telling('returns a bigint', whole, (timeMs) => BigInt(timeMs)),
  telling('returns seconds', right, (timeMs) => Math.floor(timeMs / 1000)),
  telling('returns microseconds', right, (timeMs) => timeMs * 1000),
  telling('counts from its own start', right, (timeMs) => timeMs - startMs),
  telling('tells the time of another zone', right, (timeMs) => timeMs + 2 * 60 * 60 * 1000),
  telling('stands still', goesOn, () => startMs),
  telling('advances with every reading', goesOn, (timeMs, reading) => timeMs + reading - 1),

  callingBack('never calls back', [inTime, later, once, ordered, calledOff], () => () => nothing),
  callingBack(
    'counts in seconds',
    [inTime, once],
    ({ nowMs, add }) =>
      (ms, callback) =>
        add(nowMs() + ms * 1000, callback),
  ),
  callingBack(
    'calls back too early',
    inTime,
    ({ nowMs, add }) =>
      (ms, callback) =>
        add(nowMs() + ms / 2, callback),
  ),
  callingBack(
    'calls back two milliseconds too early',
    inTime,
    ({ nowMs, add }) =>
      (ms, callback) =>
        add(nowMs() + Math.max(0, ms - 2), callback),
  ),
  callingBack('calls back before it returns for a delay of 0', later, (schedule) => (ms, callback) => {
    if (ms > 0) return rightAfter(schedule)(ms, callback)
    callback()
    return nothing
  }),
  callingBack('calls back repeatedly', [once, ordered], ({ nowMs, add }) => (ms, callback) => {
    const repeat = () => {
      callback()
      add(nowMs() + ms + 1, repeat)
    }
    return add(nowMs() + ms, repeat)
  }),
  callingBack('calls back in the order of the calls', ordered, ({ nowMs, add }) => {
    let lastMs = 0
    return (ms, callback) => {
      lastMs = Math.max(lastMs, nowMs() + ms)
      return add(lastMs, callback)
    }
  }),
  callingBack('cancels nothing', calledOff, (schedule) => (ms, callback) => {
    rightAfter(schedule)(ms, callback)
    return nothing
  }),
  callingBack('cancels the last callback', calledOff, (schedule) => {
    const callsOff: (() => void)[] = []
    return (ms, callback) => {
      callsOff.push(rightAfter(schedule)(ms, callback))
      return () => callsOff.pop()?.()
    }
  }),
])
