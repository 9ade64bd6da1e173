import type { Store } from '../../store.ts'
import { type Expectation, type TestRunner, warn } from '../runner.ts'
import { type Closable, testsOf } from '../subject.ts'

/** A store to be tested: new and empty for each test. */
export type StoreSubject = Closable & {
  readonly store: Store
  /** Opens another handle on the same data, with nothing shared in memory, as another process does. */
  readonly openSecondHandle?: () => Promise<Store>
  /** Closes `store`, and opens its data anew, as a process does that starts again. */
  readonly reopen?: () => Promise<Store>
  /** Takes away what the store needs, so that writes of `store` fail from now on, and most likely reads. Returns what gives it back. */
  readonly breakStore?: () => Promise<() => Promise<void>>
  /**
   * Makes the next operation of `store` that can meet it fail, once, in the way that the option `faults` has under this name.
   * Where an append has several steps, the midst of them is the best place.
   */
  readonly failNext?: (fault: string) => Promise<void>
  /** Closes `store`, as its owner does when it needs it no more. Its data stay; `reopen` opens them anew, although it is closed. */
  readonly closeStore?: () => Promise<void>
  /** Changes what is stored of the auction or the entry of this id beneath `store`, as another program may have done. */
  readonly damage?: (kind: 'auction' | 'entry', id: number, damage: Damage) => Promise<void>
}

/** Another version than `storedVersion`, or a field that is missing or has a wrong value: none of the keys, nor the agenda. */
export type Damage = 'another version' | 'a faulty field'

/** A hook of a subject, without which some tests can't run. */
type Hook = Exclude<keyof StoreSubject, 'store' | 'close'>

/** What is stored of a write that fails: nothing, all of it, or of an append any number of entries from the first one on. */
export type FaultEffect = 'nothing' | 'all' | 'a prefix'

/** Where a store is different on purpose. */
export type StoreContractOptions = {
  /**
   * The hooks that its subject can't have, each with the reason, such as `{ openSecondHandle: 'the data lives in one process' }`.
   * The tests that need them do not run then, and the suite says so: in the names of tests, and in a warning.
   */
  readonly without?: Readonly<Partial<Record<Hook, string>>>
  /** The names that `failNext` knows, such as `a full disk` or `a lost answer`, and what is stored of a write that fails so. */
  readonly faults?: Readonly<Record<string, FaultEffect>>
  /**
   * The filters of a list that the store follows in an index of their own. Where a query has such a filter, only auctions
   * that match it count as looked at.
   */
  readonly seeks?: readonly Filter[]
}

/** A filter of lists of auctions, beside their order. */
type Filter = 'ownerId' | 'productId' | 'onlyOpen'

export type Suite = {
  readonly expect: (actual: unknown) => Expectation
  readonly test: (name: string, body: (subject: StoreSubject) => Promise<void>) => void
  /** Declares tests that need a hook of the subject, or the one that says that they do not run. */
  readonly needing: (hook: Hook, declare: () => void) => void
  readonly faults: Readonly<Record<string, FaultEffect>>
  readonly seeks: readonly Filter[]
}

/** What does not run when a hook is missing. */
const purposes: Readonly<Record<Hook, string>> = {
  openSecondHandle: 'against a second handle on the same data',
  reopen: 'against a store that is opened again',
  breakStore: 'against a store that can’t be asked',
  failNext: 'against operations that fail',
  closeStore: 'against a store that is closed',
  damage: 'against data that can’t be read',
}
const hooks = Object.keys(purposes) as readonly Hook[] // All of its names.

export function createSuite(
  runner: TestRunner,
  makeSubject: () => Promise<StoreSubject>,
  { without = {}, faults = {}, seeks = [] }: StoreContractOptions,
): Suite {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)
  const missing = hooks.filter((hook) => without[hook] !== undefined)
  const noticeOf = (hook: Hook) => `NOT TESTED ${purposes[hook]}: ${without[hook]}`

  function needing(hook: Hook, declare: () => void): void {
    if (missing.includes(hook)) {
      test(noticeOf(hook), async (subject) => {
        expect(subject[hook]).toBe(undefined)
        expect(without[hook]?.trim() === '').toBe(false)
        // Runners tend to hide the names of tests that pass. One warning tells of all.
        if (hook === missing[0]) warn(runner, missing.map(noticeOf).join('\n'))
      })
      return
    }
    test(`runs ${purposes[hook]}`, async (subject) => {
      // Where the subject can't have the hook, the option `without` has to say why.
      expect(typeof subject[hook]).toBe('function')
      if (hook === 'failNext') expect(Object.keys(faults).length > 0).toBe(true)
    })
    declare()
  }

  return { expect, test, needing, faults, seeks }
}

/** Another handle on a subject's data, or the only one, which then stands for all. */
export const otherHandle = async ({ store, openSecondHandle }: StoreSubject): Promise<Store> =>
  openSecondHandle === undefined ? store : await openSecondHandle()
