import * as v from 'valibot'

/** What a reader of the reference and of `--help` is told about a setting, beside what its value must be. */
const aboutSchema = v.object({
  group: v.picklist(['Address', 'Store', 'Tokens', 'Permissions', 'Limits', 'Connections', 'Time', 'Log']),
  /** One or two sentences in Markdown. */
  description: v.string(),
  unit: v.optional(v.picklist(['seconds', 'bytes', 'requests', 'connections'])),
  /** Whether who reads the value could act as somebody else. */
  isSecret: v.optional(v.boolean()),
})
type About = v.InferInput<typeof aboutSchema>

/** The default is a value, or else it is told in words, in Markdown, what holds when none is given. */
type WithDefault<T> = About & { readonly default: T; readonly unset?: never }
type WithoutDefault = About & { readonly unset: string; readonly default?: never }

/** A setting: what its value must be, its default, and what is told about it. */
export function setting<TCheck extends v.GenericSchema>(
  check: TCheck,
  about: WithDefault<v.InferInput<TCheck>>,
): v.OptionalSchema<TCheck, v.InferInput<TCheck>>
export function setting<TCheck extends v.GenericSchema>(
  check: TCheck,
  about: WithoutDefault,
): v.OptionalSchema<TCheck, undefined>
export function setting(check: v.GenericSchema, about: WithDefault<unknown> | WithoutDefault) {
  const { default: value, ...told } = about
  return v.optional(v.pipe(check, v.metadata(told)), value)
}

/** Marks what a check demands, for the reference: `must be ${values}`. */
export const demands = <TInput>(values: string) => v.metadata<TInput, { readonly values: string }>({ values })

const toldSchema = v.object({
  ...aboutSchema.entries,
  values: v.string(),
  unset: v.optional(v.string()),
})

/** What was told about a setting when it was made. */
export const toldAbout = (entry: v.OptionalSchema<v.GenericSchema, unknown>): v.InferOutput<typeof toldSchema> =>
  v.parse(toldSchema, v.getMetadata(entry.wrapped))
