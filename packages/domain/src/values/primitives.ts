import * as v from 'valibot'

/** A stored integer, such as a time in milliseconds. */
export const StoredInteger = v.pipe(v.number(), v.safeInteger())

/** A stored number of things, from 0. */
export const StoredCount = v.pipe(StoredInteger, v.minValue(0))

/** Refuses lone surrogates, which have no encoding. */
const wellFormed = v.check<string, string>(
  (text) => text.isWellFormed(),
  'must be well-formed Unicode, without lone surrogates',
)

/** A string of up to `maxCharacters` code points. */
export const anyTextUpTo = (maxCharacters: number) => {
  const rule = `must be a string of up to ${maxCharacters} characters`
  return v.pipe(
    v.string(rule),
    v.maxCodePoints(maxCharacters, rule),
    v.metadata({ maxLength: maxCharacters }),
    wellFormed,
  )
}

/** A string of 1 to `maxCharacters` code points. */
export const textUpTo = (maxCharacters: number) => {
  const rule = `must be a string of 1 to ${maxCharacters} characters`
  return v.pipe(
    v.string(rule),
    v.minLength(1, rule),
    v.maxCodePoints(maxCharacters, rule),
    // JSON Schema also counts code points.
    v.metadata({ maxLength: maxCharacters }),
    wellFormed,
  )
}
