import { expect, test } from 'vitest'
import { checkHistory } from '../../src/check-history.ts'
import type { History, Violation } from '../../src/history.ts'

/** Histories by what happens in them. */
export type Histories = Readonly<Record<string, History>>

/** Expects the checker to find nothing. */
export const testKept = (histories: Histories): void =>
  test.each(Object.entries(histories))('no promise is broken if %s', (_, history) => {
    expect(checkHistory(history)).toEqual([])
  })

/** Expects the checker to find in each history that this promise is broken, for this reason. */
export const testBroken = (invariant: Violation['invariant'], reason: RegExp, histories: Histories): void =>
  test.each(Object.entries(histories))(`promise ${invariant} is broken if %s`, (_, history) => {
    expect(checkHistory(history)).toContainEqual({ invariant, message: expect.stringMatching(reason) })
  })
