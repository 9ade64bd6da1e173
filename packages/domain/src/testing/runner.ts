/** The matchers that the contract suites use. */
export type Expectation = {
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
  toStrictEqual(expected: unknown): unknown
}

/**
 * What a contract suite needs of a test runner. The functions of these names of vitest, of jest and of `bun:test` fit, and
 * so do those of `node:test` together with an `expect` of a few lines. The suites take them as an argument, so that the domain
 * depends on no runner and an adapter's package keeps its own.
 */
export type TestRunner = {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
  expect(actual: unknown): Expectation
  /** Where a suite says what it did not test; `console.warn`, where there is one, if left out. */
  warn?(text: string): unknown
}

export function warn(runner: TestRunner, text: string): void {
  if (runner.warn !== undefined) {
    runner.warn(text)
    return
  }
  // Every runtime has a console, and no standard that this package is compiled for does.
  const { console } = globalThis as { readonly console?: { warn(text: string): void } }
  console?.warn(text)
}
