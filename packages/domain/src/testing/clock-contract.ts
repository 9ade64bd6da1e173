import type { Clock } from '../ports/clock.ts'
import type { TestRunner } from './runner.ts'
import { type Closable, testsOf } from './subject.ts'

/** A clock to be tested, beside something that the test trusts to tell the same time. */
export type ClockSubject = Closable & {
  readonly clock: Clock
  /** The time that the clock should tell, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly referenceMs: () => number
  /** Lets a millisecond or more go by: waits for it, or moves a clock that stands still. */
  readonly letTimePass: () => Promise<void>
}

/** What every clock must do. Going back is allowed: real clocks are set right now and then. */
export function clockContract(runner: TestRunner, makeSubject: () => Promise<ClockSubject>): void {
  const { describe, expect } = runner
  const test = testsOf(runner, makeSubject)

  describe('a clock', () => {
    test('answers whole milliseconds, as a number that a date can hold', async ({ clock }) => {
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
  })
}

const isBetween = (low: number, value: number, high: number): boolean => low <= value && value <= high
