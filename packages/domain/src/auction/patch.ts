import * as v from 'valibot'
import type { FieldError } from '../values/validation.ts'

// A patch of the fields of an auction: each may be absent, and null removes one that need not be set.

type Names<Entries> = Entries extends unknown ? keyof Entries : never
type EntryOf<Entries, Name> = Entries extends unknown ? (Name extends keyof Entries ? Entries[Name] : never) : never

type Patched<Entry> =
  Entry extends v.NullishSchema<infer Given, undefined>
    ? v.ExactOptionalSchema<v.NullableSchema<Given, undefined>, undefined>
    : Entry extends v.GenericSchema
      ? v.ExactOptionalSchema<Entry, undefined>
      : never

type PatchEntries<Each> = { readonly [Name in Names<Each>]: Patched<EntryOf<Each, Name>> }

/** The entries of a patch of the fields of all formats. A field is the same in each format that has it. */
export function patchEntriesOf<Each extends v.ObjectEntries>(each: readonly Each[]): PatchEntries<Each> {
  const patched: Record<string, v.GenericSchema> = {}
  // The cast: no schema here is asynchronous.
  for (const entries of each)
    for (const [name, entry] of Object.entries(entries) as [string, v.GenericSchema][]) {
      const given = givenIn(entry)
      const earlier = patched[name]
      if (earlier !== undefined && givenIn(earlier) !== given) throw new Error(`two formats have a different ${name}`)
      if (earlier === undefined || given !== entry) patched[name] = given === entry ? given : v.nullable(given)
    }
  const entries = Object.entries(patched).map(([name, entry]) => [name, v.exactOptional(entry)])
  // The cast: `Patched` does that to a type.
  return Object.fromEntries(entries) as PatchEntries<Each>
}

/** The schema of a value that is not null. */
const givenIn = (entry: v.GenericSchema): v.GenericSchema =>
  entry.type === 'nullish' || entry.type === 'nullable'
    ? v.unwrap(entry as v.NullableSchema<v.GenericSchema, undefined>)
    : entry // By its type.

/** The errors of patched fields that the format does not have, or that it needs. */
export function errorsOfPatch(entries: v.ObjectEntries, patch: object): readonly FieldError[] {
  return Object.entries(patch).flatMap(([name, value]) => {
    const pointer = `/${name}`
    if (!Object.hasOwn(entries, name)) return { pointer, message: 'is not a field of this auction' }
    // The cast: no schema here is asynchronous.
    const error = value === null ? v.safeParse(entries[name] as v.GenericSchema, null).issues?.[0].message : undefined
    return error === undefined ? [] : { pointer, message: error }
  })
}
