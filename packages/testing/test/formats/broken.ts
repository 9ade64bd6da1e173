import { expect, test } from 'vitest'
import { checkHistory } from '../../src/check-history.ts'
import type { History, Violation } from '../../src/history.ts'

/** A history that breaks a promise, and the text of the violation. */
export type Broken = readonly [name: string, invariant: Violation['invariant'], message: RegExp, history: History]

/** Each violation is found, with the expected reason. */
export const testBroken = (histories: readonly Broken[]): void =>
  test.each(histories)('an invariant is violated if %s', (_, invariant, message, history) => {
    expect(checkHistory(history)).toContainEqual({ invariant, message: expect.stringMatching(message) })
  })
