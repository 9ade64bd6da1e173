import type { Store } from '@auction/domain/store'
import type { StoreSubject } from '@auction/testing/store-contract'
import { isLong } from '../../../tools/vitest/size.ts'

type Handle = Store & { close(): Promise<void> }

/** A subject with all hooks that can be emptied. */
export type ReusableSubject = Omit<Required<StoreSubject>, 'openSecondHandle'> & {
  openSecondHandle(): Promise<Handle>
  /** Removes all stored data, while `store` stays open. */
  empty(): Promise<void>
}

/** Makes the subjects of a contract suite; `close` closes the last one after the suite. */
export type ReusedSubjects = {
  readonly makeSubject: () => Promise<StoreSubject>
  readonly close: () => Promise<void>
}

/**
 * In the short form, a test that has neither closed its store nor made it fail leaves it empty for the next test, because the
 * creation of stores takes longer than most tests. The long form creates a store for each test.
 */
export function reuseSubjects(make: () => Promise<ReusableSubject>): ReusedSubjects {
  let idle: ReusableSubject | undefined

  async function makeSubject(): Promise<StoreSubject> {
    const subject = idle ?? (await make())
    idle = undefined
    const others: Handle[] = []
    let isReusable = !isLong
    const lastUse =
      <Args extends readonly unknown[], Value>(hook: (...args: Args) => Value) =>
      (...args: Args): Value => {
        isReusable = false
        return hook(...args)
      }
    return {
      ...subject,
      async openSecondHandle() {
        const other = await subject.openSecondHandle()
        others.push(other)
        return other
      },
      reopen: lastUse(subject.reopen),
      breakStore: lastUse(subject.breakStore),
      failNext: lastUse(subject.failNext),
      closeStore: lastUse(subject.closeStore),
      async close() {
        await Promise.all(others.map((other) => other.close()))
        if (!isReusable) return await subject.close()
        await subject.empty()
        idle = subject
      },
    }
  }

  return { makeSubject, close: async () => idle?.close() }
}
