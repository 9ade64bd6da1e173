import * as v from 'valibot'

/** Refuses lone surrogates, which no encoding of Unicode can carry. */
export const wellFormed = v.check<string, string>(
  (text) => text.isWellFormed(),
  'the text must be well-formed Unicode, without lone surrogates',
)

/** A text of 1 to so many characters, that is, code points. */
export const textUpTo = (maxCharacters: number) => {
  const rule = `must be a text of 1 to ${maxCharacters} characters`
  return v.pipe(
    v.string(rule),
    v.minLength(1, rule),
    v.maxCodePoints(maxCharacters, rule),
    // JSON Schema counts code points, too.
    v.metadata({ maxLength: maxCharacters }),
    wellFormed,
  )
}
