import type { Operation } from '../operations/operation.ts'
import recorded from './example-responses.json' with { type: 'json' }
import type { MediaType } from './openapi.ts'

/** The status of a response with the members of its body. The body of a problem has the status, too. */
export type RecordedResponse = { readonly status: number; readonly success: boolean }

function bodyOf(response: RecordedResponse): object {
  const { status: _, ...body } = response
  return body.success ? body : response
}

const responses: Readonly<Record<string, Readonly<Record<string, RecordedResponse>>>> = recorded

/** The recorded response to an example; undefined if it is new. The test of the examples records it. */
const recordedFor = ({ route }: Operation, summary: string): RecordedResponse | undefined =>
  responses[route.name]?.[summary]

/** The bodies of these responses. */
export const responsesWith = (operation: Operation, statuses: readonly number[]): NonNullable<MediaType['examples']> =>
  named(operation, (response) => (statuses.includes(response.status) ? bodyOf(response) : undefined))

/** The JSON bodies of the requests. One that returns 400 is invalid, so it is not an example of a request. */
export const validBodies = (operation: Operation): NonNullable<MediaType['examples']> =>
  named(operation, ({ status }, summary) => {
    const body = operation.examples[summary]?.body
    return status === 400 || typeof body === 'string' ? undefined : body
  })

/** The CSV of the first request that has one and does not return 400. */
export function validCsv(operation: Operation): string | undefined {
  const bodies = Object.entries(operation.examples).map(([summary, { body }]) =>
    recordedFor(operation, summary)?.status === 400 ? undefined : body,
  )
  return bodies.find((body) => typeof body === 'string')
}

/** Makes names of the summaries. */
function named(operation: Operation, part: (response: RecordedResponse, summary: string) => object | undefined) {
  const all = Object.keys(operation.examples).flatMap((summary) => {
    const response = recordedFor(operation, summary)
    const value = response && part(response, summary)
    return value === undefined ? [] : [[summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), { summary, value }]]
  })
  return Object.fromEntries(all)
}
