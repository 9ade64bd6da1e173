import * as v from 'valibot'

type Values = {
  /** What the value must be, for the reference: `must be ${values}`. */
  readonly values: string
  readonly unit?: 'seconds' | 'requests' | 'connections'
  /** Whether the value gives access to something. */
  readonly isSecret?: boolean
}

export type Metadata = Values & { readonly description: string; readonly unset?: string }

export const demands = <Input>(values: Values): v.MetadataAction<Input, Values> => v.metadata(values)

/** A setting with a default. The description is one or two sentences of Markdown. */
export const setting = <Schema extends v.GenericSchema, const Value extends v.InferInput<Schema>>(
  schema: Schema,
  value: Value,
  description: string,
) => v.optional(v.pipe(schema, v.metadata({ description })), value)

/** A setting without a default. `unset` is what applies without it, in Markdown. */
export const optionalSetting = <Schema extends v.GenericSchema>(schema: Schema, unset: string, description: string) =>
  v.optional(v.pipe(schema, v.metadata({ description, unset })))
