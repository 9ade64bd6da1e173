import { type Closable, type TestRunner, testsOf, warn } from './runner.ts'

/** Declares tests that need a hook of the subject, or the one test that reports that they do not run. */
export type Needing<Hook> = (hook: Hook, declare: () => void) => void

type NeedingParts<Subject extends Closable, Hook extends keyof Subject & string> = {
  readonly makeSubject: () => Promise<Subject>
  /** The tests that do not run when a hook is missing, such as `with a reopened store`. */
  readonly purposes: Readonly<Record<Hook, string>>
  /** The hooks that the subject cannot have, each with the reason. */
  readonly without: Readonly<Partial<Record<Hook, string>>>
  readonly isProvided?: (subject: Subject, hook: Hook) => boolean
}

export function createNeeding<Subject extends Closable, Hook extends keyof Subject & string>(
  runner: TestRunner,
  { makeSubject, purposes, without, isProvided = hasHook }: NeedingParts<Subject, Hook>,
): Needing<Hook> {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)
  // The cast: they are the names of purposes.
  const missing = Object.keys(purposes).filter((hook): hook is Hook => without[hook as Hook] !== undefined)
  const noticeOf = (hook: Hook) => `NOT TESTED ${purposes[hook]}: ${without[hook]}`

  return (hook, declare) => {
    if (missing.includes(hook)) {
      test(noticeOf(hook), async (subject) => {
        expect(subject[hook]).toBe(undefined)
        expect(without[hook]?.trim() === '').toBe(false)
        // Most runners hide the names of passed tests, so one warning names all of them.
        if (hook === missing[0]) warn(runner, missing.map(noticeOf).join('\n'))
      })
      return
    }
    test(`runs ${purposes[hook]}`, async (subject) => {
      // A subject without the hook needs a reason in the option `without`.
      expect(isProvided(subject, hook)).toBe(true)
    })
    declare()
  }
}

const hasHook = <Subject>(subject: Subject, hook: keyof Subject): boolean => typeof subject[hook] === 'function'
