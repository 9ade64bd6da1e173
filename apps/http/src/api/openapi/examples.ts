import type { Example } from '../operations/example.ts'
import type { Content } from './openapi.ts'

type NamedExamples = Content[string]['examples']

/** The examples that have the requested part, by name. */
export function namedExamples(
  examples: readonly Example[],
  part: (example: Example) => object | undefined,
): NamedExamples {
  return Object.fromEntries(
    examples.flatMap((example) => {
      const value = part(example)
      return value === undefined ? [] : [[nameOf(example), { summary: example.summary, value }]]
    }),
  )
}

const nameOf = ({ summary }: Example): string => summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
