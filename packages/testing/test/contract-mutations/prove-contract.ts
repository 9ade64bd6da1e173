import { setTimeout } from 'node:timers/promises'
import { type Currency, toCurrency } from '@auction/domain/money'
import { expect, test } from 'vitest'
import { sampleOf } from '../../../../tools/vitest/size.ts'
import type { TestRunner } from '../../src/runner.ts'

/** An adapter with one bug, and the tests of the contract suite that must catch it. */
export type Mutation<Subject> = {
  readonly bug: string
  readonly makeSubject: () => Subject
  readonly caughtBy: CaughtBy
}

/** The name or the names of tests. */
export type CaughtBy = string | readonly string[]

type Contract<Subject> = (runner: TestRunner, makeSubject: () => Promise<Subject>) => void

/**
 * Proves that a contract suite is reliable: a correct adapter passes it, each adapter with a bug fails exactly the
 * tests that must catch it, and every test catches a bug.
 */
export function proveContract<Subject>(
  contract: Contract<Subject>,
  makeRight: () => Subject,
  mutations: readonly Mutation<Subject>[],
): void {
  const names = testsIn(contract, makeRight).map(({ name }) => name)

  test('passes a correct adapter', async () => {
    expect(await failuresOf(contract, makeRight, names)).toEqual([])
  })

  for (const { bug, makeSubject, caughtBy } of sampleOf(mutations)) {
    // In parallel with others: some of them wait until they count as hanging.
    test.concurrent(`catches an adapter that ${bug}`, async () => {
      const expected = [caughtBy].flat()
      expect(expected).not.toEqual([])
      expect(await failuresOf(contract, makeSubject, expected)).toEqual(expected.toSorted())
    })
  }

  test('has a planted bug for every test', () => {
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

/** A store in memory is much faster: a test that takes longer hangs. */
const longestTestMs = 5_000

/**
 * Runs the tests with these names outside the runner, and returns the names of those that fail, in alphabetical order.
 */
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

/** Yields to other work, as a network call does. */
export const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** A currency in a store that uses the exponent of the current table. */
export function asToday(currency: Currency): Currency {
  try {
    return toCurrency(currency.code)
  } catch {
    return currency
  }
}

/** A number in a store that keeps 15 digits. */
export const to15Digits = (value: number): number => Number(value.toPrecision(15))
