import type { Store } from '@auction/domain/store'
import { createExpect, type Expect } from '../assertions.ts'
import { createNeeding, type Needing } from '../needing.ts'
import { type Closable, type TestRunner, testsOf } from '../runner.ts'
import { createTrace } from './traced.ts'

/** A store to be tested: new and empty for each test. */
export type StoreSubject = Closable & {
  readonly store: Store
  /** Opens another handle on the same data, as another process would: the handles share no memory. */
  readonly openSecondHandle?: () => Promise<Store>
  /** Closes `store` and reopens its data, as a restarted process would. */
  readonly reopen?: () => Promise<Store>
  /** Makes writes of `store` fail, and usually reads: a part of it is missing. Returns a function that repairs it. */
  readonly breakStore?: () => Promise<() => Promise<void>>
  /**
   * Makes the next possible operation of `store` fail once with this fault of the option `faults`. If a write has
   * several steps, such as an append or an insert, fail in the middle of them.
   */
  readonly failNext?: (fault: string) => Promise<void>
  /** Closes `store`, as its owner would. Its data stay, and `reopen` works after it. */
  readonly closeStore?: () => Promise<void>
  /** Changes the stored data of the auction or entry with this id directly, as another program may. */
  readonly damage?: (kind: 'auction' | 'entry', id: number, damage: Damage) => Promise<void>
  /**
   * Stops the server of `store` without ending it, as SIGSTOP does: connections stay open, and nothing responds. For a
   * file, another process holds its lock. Returns a function that continues it, and waits until `store` is available.
   */
  readonly halt?: () => Promise<() => Promise<void>>
  /**
   * Stores an auction and its first entry, both with this id and without a `requestKey`, in another session that does
   * not commit. Returns a function that rolls back.
   */
  readonly holdKeys?: (id: number) => Promise<() => Promise<void>>
  /** Records a later format of the data. Returns it as the error of `reopen` must name it. */
  readonly otherFormat?: () => Promise<string>
  /** The number of bytes that `store` has received from its server so far. */
  readonly bytesRead?: () => Promise<number>
}

/**
 * An unknown version, a missing or invalid field, other than a key or the position on the agenda, or
 * text that is not JSON. A store that keeps no JSON changes a whole field of several parts, such as `startTime` or
 * `event`.
 */
export type Damage = 'another version' | 'an invalid field' | 'text that is not JSON'

/** A hook of a subject that some tests need. */
type Hook = Exclude<keyof StoreSubject, 'store' | 'close'>

/** An optional operation of a store, `addTitleWords` or `listBidderEntries`, with what it needs of the others. */
type Capability = 'search' | 'bidderEntries'

/** What a failed write stores: nothing, all of it, or any number of the first entries of an append. */
export type FaultEffect = 'nothing' | 'all' | 'a prefix'

/** The intended differences of a store. */
export type StoreContractOptions = {
  /**
   * The hooks that the subject cannot have, and the optional operations that its store lacks, each with the reason,
   * such as `{ openSecondHandle: 'the data is in one process' }`. The tests that need them do not run, and the suite
   * reports that in the names of tests and in a warning.
   */
  readonly without?: Readonly<Partial<Record<Hook | Capability, string>>>
  /** The faults for `failNext` by their names, such as `a full disk`, and what a write with this fault stores. */
  readonly faults?: Readonly<Record<string, FaultEffect>>
  /** Whether `appendedSince` knows of up to `maxAppended` appends. Otherwise it may not know, and may be missing. */
  readonly knowsAppends?: boolean
}

export type Suite = {
  readonly expect: Expect
  readonly test: (name: string, body: (subject: StoreSubject) => Promise<void>) => void
  readonly needing: Needing<Hook | Capability>
  readonly faults: Readonly<Record<string, FaultEffect>>
  readonly knowsAppends: boolean
}

/** The tests that do not run when a hook or an optional operation is missing. */
const purposes: Readonly<Record<Hook | Capability, string>> = {
  openSecondHandle: 'with a second handle on the same data',
  reopen: 'with a reopened store',
  breakStore: 'with an unavailable store',
  failNext: 'with failing operations',
  closeStore: 'with a closed store',
  damage: 'with unreadable data',
  halt: 'with a server that hangs',
  holdKeys: 'with keys that another session holds',
  otherFormat: 'with data of a later format',
  bytesRead: 'with the number of bytes that lists read',
  search: 'with searches of titles',
  bidderEntries: 'with lists of the bids of a bidder',
}

export function createSuite(
  runner: TestRunner,
  makeSubject: () => Promise<StoreSubject>,
  { without = {}, faults = {}, knowsAppends = false }: StoreContractOptions,
): Suite {
  const { nameOf, ofSubject } = createTrace()
  const makeTraced = async () => ofSubject(await makeSubject())
  const needing = createNeeding<StoreSubject, Hook | Capability>(runner, {
    makeSubject: makeTraced,
    purposes,
    without,
    partOf(subject, need) {
      if (need === 'search') return subject.store.addTitleWords
      return need === 'bidderEntries' ? subject.store.listBidderEntries : subject[need]
    },
    isUsable: (need) => need !== 'failNext' || Object.keys(faults).length > 0,
  })
  return { expect: createExpect(runner, nameOf), test: testsOf(runner, makeTraced), needing, faults, knowsAppends }
}

/** Another handle on a subject's data, or the only one. */
export const otherHandle = async ({ store, openSecondHandle }: StoreSubject): Promise<Store> =>
  openSecondHandle === undefined ? store : await openSecondHandle()
