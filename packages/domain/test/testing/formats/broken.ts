import { expect, test } from 'vitest'
import { checkHistory } from '../../../src/testing/check-history.ts'
import type { History, Violation } from '../../../src/testing/history.ts'

/** A history that breaks a promise, and what the violation says of it. */
export type Broken = readonly [name: string, invariant: Violation['invariant'], message: RegExp, history: History]

/** Each is found, and for its own reason. */
export const testBroken = (histories: readonly Broken[]): void =>
  test.each(histories)('a promise is broken where %s', (_, invariant, message, history) => {
    expect(checkHistory(history)).toContainEqual({ invariant, message: expect.stringMatching(message) })
  })
