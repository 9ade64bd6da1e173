import { problemMembers } from '../../host/answers/problem.ts'
import { type ProblemCode, problemType } from '../answers/problem-types.ts'
import { validationProblem } from '../answers/refusal.ts'
import { timestamp } from './example-data.ts'

/** A request with its response. A test sends all examples in the order of the table and compares the responses. */
export type Example = {
  readonly summary: string
  readonly request: {
    readonly parameters?: Readonly<Record<string, string | number>>
    readonly query?: Readonly<Record<string, string>>
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: object
  }
  readonly answer: { readonly status: number; readonly body: object }
}

export const success = (status: 200 | 201, message: string, data: object): Example['answer'] => ({
  status,
  body: { success: true, message, data },
})

export const read = (message: string, data: object): Example['answer'] => ({
  status: 200,
  body: { success: true, message, data, now: timestamp },
})

export const failure = (code: ProblemCode, message: string, members: object = {}): Example['answer'] => ({
  status: problemType(code).status,
  body: problemMembers({ code, type: problemType(code), message, members: { ...members } }),
})

/** The failure of a request with these errors, by their pointers. */
export function invalid(rules: Readonly<Record<string, string>>): Example['answer'] {
  const code = 'validation-failed'
  const errors = Object.entries(rules).map(([pointer, message]) => ({ pointer, message }))
  const { message, members } = validationProblem({ code, errors, moreErrors: 0 })
  return failure(code, message, members)
}
