import { problemMembers } from '../answers/problem.ts'
import { type ProblemCode, problemType } from '../answers/problem-types.ts'

/** A request with its answer. A test sends all of them in the order of the table, and compares. */
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

/** The answer to an example that succeeds. */
export const success = (status: 200 | 201, message: string, data: object): Example['answer'] => ({
  status,
  body: { success: true, message, data },
})

/** The answer to an example that fails. */
export const failure = (code: ProblemCode, message: string, members: object = {}): Example['answer'] => ({
  status: problemType(code).status,
  body: problemMembers({ code, message, members: { ...members } }),
})
