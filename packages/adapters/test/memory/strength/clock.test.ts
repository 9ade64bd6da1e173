import { type ClockSubject, clockContract } from '@auction/domain/testing/clock-contract'
import { type Planted, proveStrength } from './strength.ts'

const startMs = Date.parse('2030-01-31T12:00:00.250Z')

/** A clock that makes its answer of the time, and of how often it was asked. */
function clockOf<Answer>(answer: (timeMs: number, reading: number) => Answer): ClockSubject {
  let timeMs = startMs
  let readings = 0
  return {
    clock: { nowMs: () => answer(timeMs, ++readings) as number }, // Some of what these answer is no number, and that is the bug.
    referenceMs: () => timeMs,
    letTimePass: async () => {
      timeMs += 1
    },
  }
}

const whole = 'answers whole milliseconds, as a number that a date can hold'
const right = 'tells the time of 1970 and UTC'
const goesOn = 'goes on as time passes, and by nothing else'

const planted = <Answer>(
  bug: string,
  answer: (timeMs: number, reading: number) => Answer,
  ...caughtBy: readonly string[]
): Planted<ClockSubject> => ({ bug, subject: () => clockOf(answer), caughtBy })

proveStrength(clockContract, () => clockOf((timeMs) => timeMs), [
  planted('answers fractions', (timeMs) => timeMs + 0.25, whole, right),
  planted('answers NaN', () => Number.NaN, whole, right),
  planted('answers a date', (timeMs) => new Date(timeMs), whole),
  planted('answers a text', (timeMs) => new Date(timeMs).toISOString(), whole),
  planted('answers a bigint', (timeMs) => BigInt(timeMs), whole),
  planted('answers seconds', (timeMs) => Math.floor(timeMs / 1000), right),
  planted('answers microseconds', (timeMs) => timeMs * 1000, right),
  planted('counts from its own start', (timeMs) => timeMs - startMs, right),
  planted('tells the time of another zone', (timeMs) => timeMs + 2 * 60 * 60 * 1000, right),
  planted('stands still', () => startMs, goesOn),
  planted('goes on with every reading', (timeMs, reading) => timeMs + reading - 1, goesOn),
])
