import { type Expectation, withSentence } from './assertions.ts'

export type { Expectation } from './assertions.ts'

/**
 * What a contract suite needs from a test runner: the functions of these names from vitest, jest or `bun:test`, or
 * those of `node:test` with a short `expect`. The suites take them as an argument: this package depends on no runner.
 */
export type TestRunner = {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
  expect(actual: unknown): Expectation
  /** Receives what a suite did not test. Default: `console.warn`, if it exists. */
  warn?(text: string): unknown
}

export function warn(runner: TestRunner, text: string): void {
  if (runner.warn !== undefined) {
    runner.warn(text)
    return
  }
  // Every runtime has a console, but the standard library that this package is compiled for does not declare one.
  const { console } = globalThis as { readonly console?: { warn(text: string): void } }
  console?.warn(text)
}

/** A subject with an optional `close` for the end of a test. */
export type Closable = { readonly close?: () => Promise<void> }

/**
 * Makes subjects. If the first one cannot be made, all others fail at once: hundreds of tests would report the same,
 * and each may wait for a time limit.
 */
export function unlessFirstFails<Subject>(makeSubject: () => Promise<Subject>): () => Promise<Subject> {
  let first: Promise<Subject> | undefined
  return async () => {
    if (first === undefined) {
      first = makeSubject()
      return first
    }
    await first.catch((cause: unknown) => {
      throw new Error(`not run, because makeSubject failed in the first test: ${String(cause)}`, { cause })
    })
    return makeSubject()
  }
}

/**
 * Declares tests that each make a separate subject, and close it after success or failure. The name of a test states
 * what must be true: the messages of its failed assertions begin with it.
 */
export const testsOf =
  <Subject extends Closable>({ test }: TestRunner, makeSubject: () => Promise<Subject>) =>
  (name: string, body: (subject: Subject) => Promise<void>): void => {
    test(name, async () => {
      const subject = await makeSubject()
      try {
        await body(subject)
      } catch (error) {
        throw withSentence(error, name)
      } finally {
        await subject.close?.()
      }
    })
  }
