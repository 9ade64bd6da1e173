/** The matchers that the contract suites use. */
export type Expectation = {
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
  toStrictEqual(expected: unknown): unknown
}

/**
 * Compares values as the `expect` of a runner, and names in an error the values that differ. A truth value would not
 * help: compare what it was computed from.
 */
export type Expect = <Actual>(actual: Actual extends boolean ? never : Actual) => Expectation

/** The failed comparisons, whose messages need the sentence of their test. */
const failed = new WeakSet<object>()

/** @param nameOf returns where a value comes from, such as `append returned`, if it is known */
export const createExpect =
  ({ expect }: { expect(actual: unknown): Expectation }, nameOf: (actual: unknown) => string = () => ''): Expect =>
  (actual) => {
    const comparing = (matcher: keyof Expectation) => (expected: unknown) => {
      const name = nameOf(actual)
      try {
        return expect(actual)[matcher](expected)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        failed.add(error)
        throw restate(error, `${name}${differenceOf(actual, expected) ?? error.message}`)
      }
    }
    return { toBe: comparing('toBe'), toEqual: comparing('toEqual'), toStrictEqual: comparing('toStrictEqual') }
  }

/** Begins the message of a failed comparison with the sentence that states what must be true. */
export const withSentence = (error: unknown, sentence: string): unknown =>
  error instanceof Error && failed.has(error) ? restate(error, `${sentence}: ${error.message}`) : error

/** The error of the runner, which has its own properties, with another message. */
function restate(error: Error, message: string): Error {
  // The stack begins with the message, and some runners print only the stack.
  const frames = error.stack?.slice(error.stack.indexOf('\n    at ')) ?? ''
  error.message = message
  error.stack = `${error.name}: ${message}${frames}`
  return error
}

/** Longer values are compared part by part. */
const maxShown = 200

/** Both values, or the first parts of them that differ; undefined if they are shown alike. */
function differenceOf(actual: unknown, expected: unknown, path = ''): string | undefined {
  const [shown, wanted] = [show(actual), show(expected)]
  if (shown === wanted) return undefined
  const both = `${path}${shown}, expected ${wanted}`
  if (both.length <= maxShown || !isRecord(actual) || !isRecord(expected)) return both
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const difference = differenceOf(actual[key], expected[key], `${path.replace(/: $/, '')}[${key}]: `)
    if (difference !== undefined) return difference
  }
  return both
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Set)

/** A wrong store may return anything, such as a bigint. */
const show = (value: unknown): string => JSON.stringify(value, asJson).replaceAll('"undefined"', 'undefined')

function asJson(_: string, part: unknown): unknown {
  if (part instanceof Set) return [...part]
  if (typeof part === 'bigint') return `${part}n`
  return part === undefined || typeof part === 'function' || part instanceof Error ? String(part) : part
}
