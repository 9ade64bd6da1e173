import { accepted, refused } from '@auction/domain/result'
import { type Parsed, validationFailed } from '@auction/domain/validation'
import * as v from 'valibot'

/** How routes write the `{id}` of a path: not empty, so that a path with a slash at its end is none of ours. */
export const idInPath = ':id(.+)'

/** Reads the `{id}` of a path: digits, without a sign or leading zeros, so that each resource has one address. */
export function parsePathId<Id>(schema: v.GenericSchema<number, Id>, params: unknown): Parsed<Id> {
  // Every route that reads an id has `idInPath` in its path.
  const { id } = params as { readonly id: string }
  const parsed = v.safeParse(schema, /^[1-9]\d{0,15}$/.test(id) ? Number(id) : Number.NaN)
  if (parsed.success) return accepted(parsed.output)
  return refused(validationFailed({ pointer: '/id', message: parsed.issues[0].message }))
}
