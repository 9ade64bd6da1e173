// biome-ignore lint/suspicious/noUndeclaredEnvVars: no task of turbo depends on it.
const size = process.env['TEST_SIZE'] ?? 'short'
if (size !== 'short' && size !== 'long') throw new RangeError(`TEST_SIZE is "${size}"; it must be "short" or "long"`)

/** Whether tests run in their long form: more seeds, more examples, larger attacks, and files on the disk. */
export const isLong = size === 'long'

/** All items in the long form, and every third in the short form. */
export const sampleOf = <Item>(items: readonly Item[]): readonly Item[] =>
  isLong ? items : items.filter((_, index) => index % 3 === 0)
