import { expect, test } from 'vitest'
import { checkHistory } from '../../src/check-history.ts'
import type { History, Violation } from '../../src/history.ts'

/** Histories by what happens in them. */
export type Histories = Readonly<Record<string, History>>

/** A history that breaks a promise, and the text of the violation. */
export type Broken = {
  readonly invariant: Violation['invariant']
  readonly message: RegExp
  readonly history: History
}

/** Expects the checker to find nothing. */
export const testKept = (histories: Histories): void =>
  test.each(Object.entries(histories))('no promise is broken if %s', (_, history) => {
    expect(checkHistory(history)).toEqual([])
  })

/** Expects the checker to find each violation, with the reason. */
export const testBroken = (histories: Readonly<Record<string, Broken>>): void =>
  test.each(Object.entries(histories))('an invariant is violated if %s', (_, { invariant, message, history }) => {
    expect(checkHistory(history)).toContainEqual({ invariant, message: expect.stringMatching(message) })
  })
