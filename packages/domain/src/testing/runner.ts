/** The matchers that the contract suites use. */
export type Expectation = {
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
  toStrictEqual(expected: unknown): unknown
}

/**
 * What a contract suite needs of a test runner. The functions of these names of vitest, of jest and of `bun:test` fit, and
 * so do those of `node:test` together with the package `expect`. The suites take them as an argument, so that the domain
 * depends on no runner and an adapter's package keeps its own.
 */
export type TestRunner = {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
  expect(actual: unknown): Expectation
}
