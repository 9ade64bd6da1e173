/**
 * A request that the documentation shows. A test sends all of them, in the order of the table, to a new server, and compares the responses
 * with those in `openapi/example-answers.json`.
 */
export type Example = {
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}
