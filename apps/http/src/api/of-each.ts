import * as v from 'valibot'

type Omissible = v.OptionalSchema<v.GenericSchema, undefined> | v.NullishSchema<v.GenericSchema, undefined>

type Optional<Entry> = Entry extends Omissible
  ? Entry
  : Entry extends v.GenericSchema
    ? v.OptionalSchema<Entry, undefined>
    : never

/** What `ofEach` does to types. */
type OfEach<One, Other> = {
  readonly [Name in keyof One | keyof Other]: Name extends keyof One & keyof Other
    ? One[Name] extends Omissible
      ? One[Name]
      : Other[Name] extends Omissible
        ? Other[Name]
        : One[Name]
    : Name extends keyof One
      ? Optional<One[Name]>
      : Name extends keyof Other
        ? Optional<Other[Name]>
        : never
}

const isOmissible = (entry: v.ObjectEntries[string] | undefined): boolean =>
  entry?.type === 'optional' || entry?.type === 'nullish'

/** The members of two kinds of objects. Those that only one has, or that may be absent in one, may be absent. */
export function ofEach<One extends v.ObjectEntries, Other extends v.ObjectEntries>(one: One, other: Other) {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const entries = names.map((name) => {
    const given = [one[name], other[name]].filter((entry) => entry !== undefined)
    const omissible = given.find(isOmissible)
    // The cast: no schema here is asynchronous.
    const [first] = given as v.GenericSchema[]
    return [name, omissible ?? (given.length === 2 || first === undefined ? first : v.optional(first))]
  })
  return Object.fromEntries(entries) as OfEach<One, Other>
}
