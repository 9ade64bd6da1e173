import type { Store } from '../../store.ts'
import type { Expectation, TestRunner } from '../runner.ts'
import { type Closable, testsOf } from '../subject.ts'

/** A store to be tested: new and empty for each test. */
export type StoreSubject = Closable & {
  readonly store: Store
  /** Opens another handle on the same data, with nothing shared in memory, as another process does. */
  readonly openSecondHandle?: () => Promise<Store>
  /** Takes away what the store needs, so that operations of `store` fail from now on. Returns what gives it back. */
  readonly breakStore?: () => Promise<() => Promise<void>>
}

/** A hook of a subject, without which some tests can't run. */
type Hook = 'openSecondHandle' | 'breakStore'

/** Where a store is different on purpose. */
export type StoreContractOptions = {
  /**
   * The hooks that its subject can't have: `openSecondHandle` where the data lives in one process, `breakStore` where nothing can be taken
   * away. The tests that need them do not run then, and the suite says so in the name of a test.
   */
  readonly without?: readonly Hook[]
  /**
   * The filters of a list that the store follows in an index of their own. Where a query has such a filter, only auctions
   * that match it count as looked at.
   */
  readonly seeks?: readonly ('ownerId' | 'productId')[]
}

export type Suite = {
  readonly expect: (actual: unknown) => Expectation
  readonly test: (name: string, body: (subject: StoreSubject) => Promise<void>) => void
  /** Declares tests that need a hook of the subject, or the one that says that they do not run. */
  readonly needing: (hook: Hook, declare: () => void) => void
  readonly seeks: readonly ('ownerId' | 'productId')[]
}

/** What does not run when a hook is missing. */
const purposes: Readonly<Record<Hook, string>> = {
  openSecondHandle: 'against a second handle on the same data',
  breakStore: 'against a store that fails',
}

export function createSuite(
  runner: TestRunner,
  makeSubject: () => Promise<StoreSubject>,
  { without = [], seeks = [] }: StoreContractOptions,
): Suite {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  function needing(hook: Hook, declare: () => void): void {
    if (without.includes(hook)) {
      test(`DID NOT RUN ${purposes[hook]}: the subject has no ${hook}`, async (subject) => {
        expect(subject[hook]).toBe(undefined)
      })
      return
    }
    test(`runs ${purposes[hook]}`, async (subject) => {
      // Where the subject can't have the hook, it has to be named in the option `without`.
      expect(typeof subject[hook]).toBe('function')
    })
    declare()
  }

  return { expect, test, needing, seeks }
}

/** Another handle on a subject's data, or the only one, which then stands for all. */
export const otherHandle = async ({ store, openSecondHandle }: StoreSubject): Promise<Store> =>
  openSecondHandle === undefined ? store : await openSecondHandle()
