import type * as v from 'valibot'

/**
 * What a text of a URL stands for by its schema: a number, written in digits without a sign or leading zeros, so that each resource
 * has one address; NaN for another text, which no schema takes; or the text itself.
 */
export const readText = (schema: v.GenericSchema, text: string): string | number => {
  if (!isNumber(schema)) return text
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
}

/** Whether a schema takes a number, optional or not. A pipe has the type of its first part. The cast: that type says what it wraps. */
const isNumber = (schema: v.GenericSchema): boolean =>
  schema.type === 'optional'
    ? isNumber((schema as v.OptionalSchema<v.GenericSchema, unknown>).wrapped)
    : schema.type === 'number'
