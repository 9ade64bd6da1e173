import type { Clock } from '@auction/domain'
import { createExpect, type Expect } from './assertions.ts'
import { type Closable, type TestRunner, testsOf } from './runner.ts'

/** A clock to be tested, and a reference to compare it with. */
export type ClockSubject = Closable & {
  readonly clock: Clock
  /** The time that the clock should return, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly referenceMs: () => number
  /** Waits for a millisecond or more, or advances a manual clock by it. */
  readonly letTimePass: () => Promise<void>
  /** Reads a stopwatch of the time that `after` counts, in milliseconds, with fractions if it has them. */
  readonly stopwatchMs: () => number
  /** Waits for this much of that time, including all callbacks that are due in it. */
  readonly waitMs: (ms: number) => Promise<void>
}

/** What every clock must do. It may go back, because real clocks are corrected. */
export function clockContract(runner: TestRunner, makeSubject: () => Promise<ClockSubject>): void {
  runner.describe('a clock', () => {
    tellingTime(runner, makeSubject)
    callingBack(runner, makeSubject)
  })
}

type MakeSubject = () => Promise<ClockSubject>

function tellingTime(runner: TestRunner, makeSubject: MakeSubject): void {
  const expect = createExpect(runner)
  const test = testsOf(runner, makeSubject)

  test('returns whole milliseconds, as a number that a date can hold', async ({ clock }) => {
    const nowMs = clock.nowMs()
    expect(nowMs).toBe(Math.trunc(nowMs))
    expect(Date.parse(new Date(nowMs).toISOString())).toBe(nowMs)
  })

  test('returns the time since 1970 in UTC', async ({ clock, referenceMs }) => {
    expectBetween(expect, [referenceMs(), clock.nowMs(), referenceMs()])
  })

  test('advances only as time passes', async ({ clock, referenceMs, letTimePass }) => {
    for (let round = 0; round < 3; round++) {
      await letTimePass()
      for (let reading = 0; reading < 100; reading++) {
        expectBetween(expect, [referenceMs(), clock.nowMs(), referenceMs()])
      }
    }
  })
}

/** Expects a time that lies between two others. */
const expectBetween = (expect: Expect, [low, value, high]: readonly [number, number, number]): unknown =>
  expect(low <= value && value <= high ? 'between' : [low, value, high]).toBe('between')

/** Timers count whole milliseconds, so a timer may start up to a millisecond before its stopwatch. */
const precisionMs = 1

function callingBack(runner: TestRunner, makeSubject: MakeSubject): void {
  const expect = createExpect(runner)
  const test = testsOf(runner, makeSubject)

  test('calls back when the time has passed, and not before', async ({ clock, stopwatchMs, waitMs }) => {
    for (const ms of [1, 10, 25]) {
      const startMs = stopwatchMs()
      let calledAfterMs = Number.NaN
      clock.after(ms, () => {
        calledAfterMs = stopwatchMs() - startMs
      })
      await waitMs(ms + 20)
      expect(calledAfterMs > ms - precisionMs ? 'in time' : calledAfterMs).toBe('in time')
    }
  })

  test('calls back only after it returns, even for a delay of 0', async ({ clock, waitMs }) => {
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

  test('calls back in the order of the times, regardless of the order of the calls', async ({ clock, waitMs }) => {
    const order: number[] = []
    for (const ms of [30, 1, 15]) clock.after(ms, () => order.push(ms))
    await waitMs(50)
    expect(order).toEqual([1, 15, 30])
  })

  test('does not call a cancelled callback, and cancels no other', async ({ clock, waitMs }) => {
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
