import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
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
 * Proves that no test of a contract suite is empty: a correct adapter passes the suite, each adapter with a bug fails
 * the tests that must catch it, and every other test fails with one of the idle adapters.
 * @param idle adapters that do nothing, each in another way
 */
export function proveContract<Subject>(
  contract: Contract<Subject>,
  makeRight: () => Subject,
  idle: readonly (() => Subject)[],
  mutations: readonly Mutation<Subject>[],
): void {
  const names = testsIn(contract, makeRight)

  test('passes a correct adapter', async () => {
    expect(await failuresOf(contract, makeRight, names, { isRight: true })).toEqual([])
  })

  for (const { bug, makeSubject, caughtBy } of mutations) {
    // In parallel with others: some of them wait until they count as hanging.
    test.concurrent(`catches an adapter that ${bug}`, async () => {
      const expected = [caughtBy].flat()
      expect(expected).not.toEqual([])
      expect(await failuresOf(contract, makeSubject, expected)).toEqual(expected.toSorted())
    })
  }

  test.concurrent('has no test that all idle adapters pass', async () => {
    const caught = new Set(mutations.flatMap(({ caughtBy }) => caughtBy))
    let passed = names.filter((name) => !caught.has(name))
    for (const makeIdle of idle) {
      const failed = new Set(await failuresOf(contract, makeIdle, passed))
      passed = passed.filter((name) => !failed.has(name))
    }
    expect(passed).toEqual([])
  })
}

type CollectedTest = { readonly name: string; readonly body: () => Promise<void> }

/** The tests that a suite declares. */
export function collect<Subject>(contract: Contract<Subject>, makeSubject: () => Subject): readonly CollectedTest[] {
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

/** The names of the tests that a suite declares. */
export const testsIn = <Subject>(contract: Contract<Subject>, makeSubject: () => Subject): readonly string[] =>
  collect(contract, makeSubject).map(({ name }) => name)

/** A store in memory is much faster: a test that takes longer hangs. */
const longestTestMs = 5_000

/**
 * Runs the tests with these names outside the runner, and returns the names of those that fail, in alphabetical order.
 * Tests that should fail run at once, because some wait until they count as hanging; others run one by one, so that a
 * busy machine makes none of them late.
 */
export async function failuresOf<Subject>(
  contract: Contract<Subject>,
  makeSubject: () => Subject,
  names: readonly string[],
  { isRight = false } = {},
): Promise<readonly string[]> {
  const wanted = new Set(names)
  const tests = collect(contract, makeSubject).filter(({ name }) => wanted.has(name))
  const failed: string[] = []
  const run = async ({ name, body }: CollectedTest) => {
    if (await hasFailed(body)) failed.push(name)
  }
  if (isRight) for (const each of tests) await run(each)
  else await Promise.all(tests.map(run))
  return failed.toSorted()
}

async function hasFailed(body: () => Promise<void>): Promise<boolean> {
  const isOver = new AbortController()
  const late = setTimeout(longestTestMs, 'late', { signal: isOver.signal })
  const outcome = await Promise.race([body(), late]).catch(() => 'failed')
  isOver.abort()
  late.catch(() => undefined)
  return outcome !== undefined
}

/** Yields to other work, as a network call does. */
export const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
