import { createExpect } from './assertions.ts'
import { type Closable, type TestRunner, testsOf, warn } from './runner.ts'

/** Declares tests that need a part of the subject, or the one test that reports that they do not run. */
export type Needing<Need> = (need: Need, declare: () => void) => void

type NeedingParts<Subject extends Closable, Need extends string> = {
  readonly makeSubject: () => Promise<Subject>
  /** The tests that do not run when a part is missing, such as `with a reopened store`. */
  readonly purposes: Readonly<Record<Need, string>>
  /** The parts that the subject cannot have, each with the reason. */
  readonly without: Readonly<Partial<Record<Need, string>>>
  /** The function that is the part; undefined if the subject lacks it. */
  readonly partOf: (subject: Subject, need: Need) => unknown
  /** Whether the part can be used. */
  readonly isUsable?: (need: Need) => boolean
}

export function createNeeding<Subject extends Closable, Need extends string>(
  runner: TestRunner,
  { makeSubject, purposes, without, partOf, isUsable = () => true }: NeedingParts<Subject, Need>,
): Needing<Need> {
  const expect = createExpect(runner)
  const test = testsOf(runner, makeSubject)
  // The cast: they are the names of purposes.
  const missing = Object.keys(purposes).filter((need): need is Need => without[need as Need] !== undefined)
  const noticeOf = (need: Need) => `NOT TESTED ${purposes[need]}: ${without[need]}`

  return (need, declare) => {
    if (missing.includes(need)) {
      test(noticeOf(need), async (subject) => {
        expect(partOf(subject, need)).toBe(undefined)
        expect([need, without[need]?.trim() === '' ? 'no reason' : 'a reason']).toEqual([need, 'a reason'])
        // Most runners hide the names of passed tests, so one warning names all of them.
        if (need === missing[0]) warn(runner, missing.map(noticeOf).join('\n'))
      })
      return
    }
    test(`runs ${purposes[need]}`, async (subject) => {
      const has = typeof partOf(subject, need) === 'function' ? need : `no ${need}, and no reason in the option without`
      expect(isUsable(need) ? has : `${has}, without its options`).toBe(need)
    })
    declare()
  }
}
