import { expect, test } from 'vitest'
import { checkHistory } from '../../src/check-history.ts'
import type { History, Violation } from '../../src/history.ts'

/** A history that breaks a promise, and what the violation says of it. */
export type Broken = readonly [name: string, invariant: Violation['invariant'], message: RegExp, history: History]

/** Each is found, and for its own reason. */
export const testBroken = (histories: readonly Broken[]): void =>
  test.each(histories)('an invariant is violated if %s', (_, invariant, message, history) => {
    expect(checkHistory(history)).toContainEqual({ invariant, message: expect.stringMatching(message) })
  })
