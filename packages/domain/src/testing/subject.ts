import type { TestRunner } from './runner.ts'

/** What may have to be closed when a test is over. */
export type Closable = { readonly close?: () => Promise<void> }

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
