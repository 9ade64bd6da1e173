import type * as v from 'valibot'

/**
 * Converts a string of a URL for its schema. A number must be digits without a sign or leading zeros, so that each resource has one
 * URL; any other string becomes NaN, which no schema accepts.
 */
export const readText = (schema: v.GenericSchema, text: string): string | number => {
  if (!isNumber(schema)) return text
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
}

/** Whether a schema is of a number, optional or not. A pipe has the type of its first part. The cast: the type is `optional`. */
const isNumber = (schema: v.GenericSchema): boolean =>
  schema.type === 'optional'
    ? isNumber((schema as v.OptionalSchema<v.GenericSchema, unknown>).wrapped)
    : schema.type === 'number'
