import * as v from 'valibot'

/** A schema with its description in the OpenAPI document. */
export const described = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description))

/** An integer of a response, such as a count. */
export const integerFrom = (least: number, description: string) =>
  described(v.pipe(v.number(), v.integer(), v.minValue(least)), description)
