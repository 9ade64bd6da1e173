import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { CurrencyCode } from '../../../src/currency.ts'
import type { Currency } from '../../../src/money.ts'
import type { TestRunner } from '../../../src/testing/runner.ts'

/** An adapter with one bug, and the tests of the contract suite that are there to catch that bug. */
export type Mutation<Subject> = {
  readonly bug: string
  readonly makeSubject: () => Subject
  readonly caughtBy: readonly string[]
}

type Contract<Subject> = (runner: TestRunner, makeSubject: () => Promise<Subject>) => void

/**
 * Proves that a contract suite can be relied on: the right adapter passes all of it, each wrong one fails in the tests that are
 * there to catch it, and no test of the suite is there for nothing.
 */
export function proveContract<Subject>(
  contract: Contract<Subject>,
  makeRight: () => Subject,
  mutations: readonly Mutation<Subject>[],
): void {
  const names = testsIn(contract, makeRight).map(({ name }) => name)

  test('passes an adapter that is right', async () => {
    expect(await failuresOf(contract, makeRight, names)).toEqual([])
  })

  for (const { bug, makeSubject, caughtBy } of mutations) {
    test(`catches an adapter that ${bug}`, async () => {
      expect(caughtBy).not.toEqual([])
      expect(await failuresOf(contract, makeSubject, caughtBy)).toEqual(caughtBy.toSorted())
    })
  }

  test('has no test without a bug that it catches', () => {
    const caught = new Set(mutations.flatMap(({ caughtBy }) => caughtBy))
    expect([...caught].toSorted()).toEqual(names.toSorted())
  })
}

type CollectedTest = { readonly name: string; readonly body: () => Promise<void> }

/** The tests that a suite declares. */
export function testsIn<Subject>(contract: Contract<Subject>, makeSubject: () => Subject): readonly CollectedTest[] {
  const collected: CollectedTest[] = []
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    test: (name, body) => collected.push({ name, body }),
    expect,
    warn: () => undefined,
  }
  contract(runner, async () => makeSubject())
  return collected
}

/** A store in memory is faster by far: a test that takes longer waits for ever. */
const longestTestMs = 5_000

/** Runs the tests of these names outside of the runner, and returns the names of those that fail, in alphabetical order. */
export async function failuresOf<Subject>(
  contract: Contract<Subject>,
  makeSubject: () => Subject,
  names: readonly string[],
): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { name, body } of testsIn(contract, makeSubject)) {
    if (!names.includes(name)) continue
    const isOver = new AbortController()
    const late = setTimeout(longestTestMs, undefined, { signal: isOver.signal }).then(
      () => 'late',
      () => 'over',
    )
    try {
      if ((await Promise.race([body(), late])) === 'late') failed.push(name)
    } catch {
      failed.push(name)
    }
    isOver.abort()
  }
  return failed.toSorted()
}

/** Lets others go first, as a step over a network does. */
export const pause = (): Promise<void> => new Promise(setImmediate)

/** What becomes of a currency in a store that looks its exponent up, where the table still has it. */
export function asToday(currency: Currency): Currency {
  const today = v.safeParse(CurrencyCode, currency.code)
  return today.success ? today.output : currency
}

/** What becomes of an exact number in a store that holds 15 digits. */
export const to15Digits = (value: number): number => Number(value.toPrecision(15))
