import { accepted, refused } from '@auction/domain/result'
import { type Parsed, validationFailed } from '@auction/domain/validation'
import * as v from 'valibot'

/** How routes write the `{id}` of a path: not empty, so that a path with a slash at its end is none of ours. */
export const idInPath = ':id(.+)'

/** Reads an id in a URL: digits, without a sign or leading zeros, so that each resource has one address. */
export const readId = <Id>(schema: v.GenericSchema<number, Id>, text: string) =>
  v.safeParse(schema, /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN)

/** Reads the `{id}` of a path. */
export function parsePathId<Id>(schema: v.GenericSchema<number, Id>, params: unknown): Parsed<Id> {
  // Every route that reads an id has `idInPath` in its path.
  const { id } = params as { readonly id: string }
  const parsed = readId(schema, id)
  if (parsed.success) return accepted(parsed.output)
  return refused(validationFailed({ pointer: '/id', message: parsed.issues[0].message }))
}
