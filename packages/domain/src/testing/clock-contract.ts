import type { Clock } from '../clock.ts'
import type { TestRunner } from './runner.ts'
import { type Closable, testsOf } from './subject.ts'

/** A clock to be tested, beside something that the test trusts to tell the same time. */
export type ClockSubject = Closable & {
  readonly clock: Clock
  /** The time that the clock should tell, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly referenceMs: () => number
  /** Lets a millisecond or more go by: waits for it, or moves a clock that stands still. */
  readonly letTimePass: () => Promise<void>
  /** A stopwatch for the time in which `after` counts, in milliseconds, with fractions if it has them. */
  readonly stopwatchMs: () => number
  /** Lets so much of that time go by, and with it all that was to be called back in it. */
  readonly waitMs: (ms: number) => Promise<void>
}

/** What every clock must do. Going back is allowed: real clocks are set right now and then. */
export function clockContract(runner: TestRunner, makeSubject: () => Promise<ClockSubject>): void {
  runner.describe('a clock', () => {
    tellingTime(runner, makeSubject)
    callingBack(runner, makeSubject)
  })
}

type MakeSubject = () => Promise<ClockSubject>

function tellingTime(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('returns whole milliseconds, as a number that a date can hold', async ({ clock }) => {
    const nowMs = clock.nowMs()
    expect(Number.isSafeInteger(nowMs)).toBe(true)
    expect(Date.parse(new Date(nowMs).toISOString())).toBe(nowMs)
  })

  test('tells the time of 1970 and UTC', async ({ clock, referenceMs }) => {
    expect(isBetween(referenceMs(), clock.nowMs(), referenceMs())).toBe(true)
  })

  test('goes on as time passes, and by nothing else', async ({ clock, referenceMs, letTimePass }) => {
    for (let round = 0; round < 3; round++) {
      await letTimePass()
      for (let reading = 0; reading < 100; reading++) {
        expect(isBetween(referenceMs(), clock.nowMs(), referenceMs())).toBe(true)
      }
    }
  })
}

const isBetween = (low: number, value: number, high: number): boolean => low <= value && value <= high

/** Timers count whole milliseconds, so one may start up to a millisecond before its stopwatch does. */
const precisionMs = 1

function callingBack(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('calls back when the time is over, and not before', async ({ clock, stopwatchMs, waitMs }) => {
    for (const ms of [1, 10, 25]) {
      const startMs = stopwatchMs()
      let calledAfterMs = Number.NaN
      clock.after(ms, () => {
        calledAfterMs = stopwatchMs() - startMs
      })
      await waitMs(ms + 20)
      expect(calledAfterMs > ms - precisionMs).toBe(true)
    }
  })

  test('calls back later than it returns, even after no time at all', async ({ clock, waitMs }) => {
    const order: string[] = []
    clock.after(0, () => order.push('called back'))
    order.push('returned')
    await waitMs(20)
    expect(order).toEqual(['returned', 'called back'])
  })

  test('calls back once', async ({ clock, waitMs }) => {
    let calls = 0
    clock.after(5, () => {
      calls += 1
    })
    for (let round = 0; round < 3; round++) await waitMs(20)
    expect(calls).toBe(1)
  })

  test('calls back in the order of the times, whatever the order of the calls', async ({ clock, waitMs }) => {
    const order: number[] = []
    for (const ms of [30, 1, 15]) clock.after(ms, () => order.push(ms))
    await waitMs(50)
    expect(order).toEqual([1, 15, 30])
  })

  test('does not call back what was called off, and calls off nothing else', async ({ clock, waitMs }) => {
    const called: string[] = []
    const [first, second, third] = ['first', 'second', 'third'].map((name) => clock.after(10, () => called.push(name)))
    second?.()
    second?.()
    await waitMs(30)
    expect(called).toEqual(['first', 'third'])
    for (const callOff of [first, second, third]) callOff?.()
    clock.after(1, () => called.push('fourth'))
    await waitMs(20)
    expect(called).toEqual(['first', 'third', 'fourth'])
  })
}
