import * as v from 'valibot'

type Omissible = v.OptionalSchema<v.GenericSchema, undefined> | v.NullishSchema<v.GenericSchema, undefined>

type Optional<Entry> = Entry extends Omissible
  ? Entry
  : Entry extends v.GenericSchema
    ? v.OptionalSchema<Entry, undefined>
    : never

/** What `ofBoth` does to types. */
type OfBoth<One, Other> = {
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

function ofBoth(one: v.ObjectEntries, other: v.ObjectEntries): v.ObjectEntries {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const entries = names.map((name) => {
    const given = [one[name], other[name]].filter((entry) => entry !== undefined)
    const omissible = given.find(isOmissible)
    // The cast: no schema here is asynchronous.
    const [first] = given as v.GenericSchema[]
    return [name, omissible ?? (given.length === 2 || first === undefined ? first : v.optional(first))]
  })
  return Object.fromEntries(entries)
}

/** The members of several kinds of objects. Those that not each has, or that may be absent in one, may be absent. */
export const ofEach = <One extends v.ObjectEntries, Other extends v.ObjectEntries, Third extends v.ObjectEntries>(
  one: One,
  other: Other,
  third: Third,
) => ofBoth(ofBoth(one, other), third) as OfBoth<OfBoth<One, Other>, Third>
