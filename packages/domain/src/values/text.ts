import * as v from 'valibot'

/** Refuses lone surrogates, which have no encoding. */
export const wellFormed = v.check<string, string>(
  (text) => text.isWellFormed(),
  'must be well-formed Unicode, without lone surrogates',
)

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
