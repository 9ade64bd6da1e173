import type { TestRunner } from './runner.ts'

/** A subject with an optional `close` for the end of a test. */
export type Closable = { readonly close?: () => Promise<void> }

/** Declares tests that each make a separate subject, and close it after success or failure. */
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
