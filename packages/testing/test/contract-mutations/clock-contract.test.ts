import { type ClockSubject, clockContract } from '../../src/clock-contract.ts'
import { type Mutation, proveContract } from './prove-contract.ts'

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
        timers = timers.filter((each) => each !== timer)
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
  answer: (timeMs: number, reading: number) => Answer,
  ...caughtBy: readonly string[]
): Mutation<ClockSubject> => ({ bug, makeSubject: () => clockOf(answer), caughtBy })

const inTime = 'calls back when the time has passed, and not before'
const later = 'calls back only after it returns, even for a delay of 0'
const once = 'calls back once'
const ordered = 'calls back in the order of the times, regardless of the order of the calls'
const calledOff = 'does not call a cancelled callback, and cancels no other'

const callingBack = (
  bug: string,
  after: (schedule: Schedule) => After,
  ...caughtBy: readonly string[]
): Mutation<ClockSubject> => ({ bug, makeSubject: () => clockOf((timeMs) => timeMs, after), caughtBy })

const nothing = () => undefined

proveContract(clockContract, () => clockOf((timeMs) => timeMs), [
  telling('returns fractions', (timeMs) => timeMs + 0.25, whole, right),
  telling('returns NaN', () => Number.NaN, whole, right),
  telling('returns a date', (timeMs) => new Date(timeMs), whole),
  telling('returns a text', (timeMs) => new Date(timeMs).toISOString(), whole),
  telling('returns a bigint', (timeMs) => BigInt(timeMs), whole),
  telling('returns seconds', (timeMs) => Math.floor(timeMs / 1000), right),
  telling('returns microseconds', (timeMs) => timeMs * 1000, right),
  telling('counts from its own start', (timeMs) => timeMs - startMs, right),
  telling('tells the time of another zone', (timeMs) => timeMs + 2 * 60 * 60 * 1000, right),
  telling('stands still', () => startMs, goesOn),
  telling('advances with every reading', (timeMs, reading) => timeMs + reading - 1, goesOn),

  callingBack('never calls back', () => () => nothing, inTime, later, once, ordered, calledOff),
  callingBack(
    'counts in seconds',
    ({ nowMs, add }) =>
      (ms, callback) =>
        add(nowMs() + ms * 1000, callback),
    inTime,
    once,
  ),
  callingBack(
    'calls back too early',
    ({ nowMs, add }) =>
      (ms, callback) =>
        add(nowMs() + ms / 2, callback),
    inTime,
  ),
  callingBack(
    'calls back two milliseconds too early',
    ({ nowMs, add }) =>
      (ms, callback) =>
        add(nowMs() + Math.max(0, ms - 2), callback),
    inTime,
  ),
  callingBack(
    'calls back before it returns for a delay of 0',
    (schedule) => (ms, callback) => {
      if (ms > 0) return rightAfter(schedule)(ms, callback)
      callback()
      return nothing
    },
    later,
  ),
  callingBack(
    'calls back repeatedly',
    ({ nowMs, add }) =>
      (ms, callback) => {
        const repeat = () => {
          callback()
          add(nowMs() + ms + 1, repeat)
        }
        return add(nowMs() + ms, repeat)
      },
    once,
    ordered,
  ),
  callingBack(
    'calls back in the order of the calls',
    ({ nowMs, add }) => {
      let lastMs = 0
      return (ms, callback) => {
        lastMs = Math.max(lastMs, nowMs() + ms)
        return add(lastMs, callback)
      }
    },
    ordered,
  ),
  callingBack(
    'cancels nothing',
    (schedule) => (ms, callback) => {
      rightAfter(schedule)(ms, callback)
      return nothing
    },
    calledOff,
  ),
  callingBack(
    'cancels the last callback',
    (schedule) => {
      const callsOff: (() => void)[] = []
      return (ms, callback) => {
        callsOff.push(rightAfter(schedule)(ms, callback))
        return () => callsOff.pop()?.()
      }
    },
    calledOff,
  ),
])
