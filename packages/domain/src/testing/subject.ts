import type { TestRunner } from './runner.ts'

/** What may have to be closed when a test is over. */
export type Closable = { readonly close?: () => Promise<void> }

/** A store to be tested: new and empty for each test. */
export type StoreSubject<Store> = Closable & {
  readonly store: Store
  /**
   * Opens another handle on the same data, with nothing shared in memory, as another process does. Left out where the data
   * lives in one process: then there is one handle, and it stands for all.
   */
  readonly again?: () => Promise<Store>
}

/** Another handle on a subject's data, or the only one. */
export const otherHandle = async <Store>({ store, again }: StoreSubject<Store>): Promise<Store> =>
  again === undefined ? store : await again()

/** Declares tests of which each makes a subject of its own, and closes it whatever comes of the test. */
export const testsOf =
  <Subject extends Closable>({ test }: TestRunner, makeSubject: () => Promise<Subject>) =>
  (name: string, body: (subject: Subject) => Promise<void>): void => {
    test(name, async () => {
      const subject = await makeSubject()
      try {
        await body(subject)
      } finally {
        await subject.close?.()
      }
    })
  }

/** Does to an object what a careless caller may do: overwrites all that can be overwritten, to the last level. */
export function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    tamper(Reflect.get(value, key))
    Reflect.set(value, key, 'tampered')
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0)
}
