import type { Operation } from '../operations/operation.ts'
import recorded from './example-answers.json' with { type: 'json' }
import type { MediaType } from './openapi.ts'

export type Answer = { readonly status: number; readonly body: object }

const answers: Readonly<Record<string, Readonly<Record<string, Answer>>>> = recorded

/** The recorded response to an example; undefined if it is new. The test of the examples records it. */
export const answerTo = ({ route }: Operation, summary: string): Answer | undefined => answers[route.name]?.[summary]

/** The bodies of these responses. */
export const answersWith = (operation: Operation, statuses: readonly number[]): NonNullable<MediaType['examples']> =>
  named(operation, (answer) => (statuses.includes(answer.status) ? answer.body : undefined))

/** The bodies of the requests. One that returns 400 is invalid, so it is not an example of a request. */
export const validBodies = (operation: Operation): NonNullable<MediaType['examples']> =>
  named(operation, ({ status }, summary) => (status === 400 ? undefined : operation.examples[summary]?.body))

/** Makes names of the summaries. */
function named(operation: Operation, part: (answer: Answer, summary: string) => object | undefined) {
  const all = Object.keys(operation.examples).flatMap((summary) => {
    const answer = answerTo(operation, summary)
    const value = answer && part(answer, summary)
    return value === undefined ? [] : [[summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), { summary, value }]]
  })
  return Object.fromEntries(all)
}
