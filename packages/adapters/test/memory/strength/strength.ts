import { type Currency, CurrencyCode } from '@auction/domain/money'
import type { TestRunner } from '@auction/domain/testing/runner'
import * as v from 'valibot'
import { expect, test } from 'vitest'

/** An adapter with one bug, and the tests of the contract suite that are there to catch that bug. */
export type Planted<Subject> = {
  readonly bug: string
  readonly subject: () => Subject
  readonly caughtBy: readonly string[]
}

type Contract<Subject> = (runner: TestRunner, makeSubject: () => Promise<Subject>) => void

/**
 * Proves that a contract suite is strong enough to rely on: the right adapter passes all of it, each wrong one fails in the
 * tests that are there to catch it, and no test of the suite is there for nothing.
 */
export function proveStrength<Subject>(
  contract: Contract<Subject>,
  right: () => Subject,
  planted: readonly Planted<Subject>[],
): void {
  test('passes an adapter that is right', async () => {
    expect(await failuresOf(contract, right)).toEqual([])
  })

  for (const { bug, subject, caughtBy } of planted) {
    test(`catches an adapter that ${bug}`, async () => {
      expect(caughtBy).not.toEqual([])
      expect(await failuresOf(contract, subject)).toEqual(expect.arrayContaining([...caughtBy]))
    })
  }

  test('has no test without a bug that it catches', () => {
    const caught = new Set(planted.flatMap(({ caughtBy }) => caughtBy))
    expect([...caught].toSorted()).toEqual(
      collect(contract, right)
        .map(({ name }) => name)
        .toSorted(),
    )
  })
}

type Collected = { readonly name: string; readonly body: () => Promise<void> }

function collect<Subject>(contract: Contract<Subject>, subject: () => Subject): readonly Collected[] {
  const collected: Collected[] = []
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    test: (name, body) => collected.push({ name, body }),
    expect,
  }
  contract(runner, async () => subject())
  return collected
}

/** Runs the suite outside of the runner, and answers the names of the tests that fail. */
async function failuresOf<Subject>(contract: Contract<Subject>, subject: () => Subject): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { name, body } of collect(contract, subject)) {
    try {
      await body()
    } catch {
      failed.push(name)
    }
  }
  return failed
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
