import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { refTo } from './names.ts'

/** Schemas by their component names. */
export type NamedSchemas = Readonly<Record<string, v.GenericSchema>>

// Checks that JSON Schema cannot express have their JSON Schema form in the metadata.
const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: ['brand', 'check', 'partial_check', 'max_code_points', 'raw_transform'],
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    // Client generators need a type next to a constant.
    if (valibotSchema.type === 'literal') return { type: typeOf(jsonSchema.const), ...jsonSchema }
    if (valibotSchema.type === 'nullable' || valibotSchema.type === 'nullish') return withNull(jsonSchema)
    return undefined
  },
  overrideRef: ({ referenceId }) => refTo('schemas', referenceId).$ref,
}

const typeOf = (constant: unknown): 'boolean' | 'number' | 'string' =>
  typeof constant === 'boolean' ? 'boolean' : typeof constant === 'number' ? 'number' : 'string'

/** Writes a nullable schema as a list of types, which is shorter than `anyOf` and supported by more tools. */
function withNull(choice: JsonSchema): JsonSchema | undefined {
  const [inner] = choice.anyOf ?? []
  if (typeof inner !== 'object' || typeof inner.type !== 'string') return undefined
  const { anyOf: _, ...around } = choice
  return { ...inner, ...around, type: [inner.type, 'null'] }
}

/** Converts named schemas, which may refer to each other. */
export function namedJsonSchemas(named: NamedSchemas): Readonly<Record<string, JsonSchema>> {
  const converted = toJsonSchemaDefs(named, config)
  for (const [name, schema] of Object.entries(named)) {
    // The cast: only valibot's object schemas have this member.
    if ('entries' in schema) describe(converted[name], schema.entries as v.ObjectEntries)
    if (isVariant(schema)) discriminate(converted[name], schema)
  }
  return converted
}

/** Converts a schema that has no name. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema, $defs, ...converted } = toJsonSchema(schema, config)
  return { ...converted, ...descriptionOf(schema) }
}

/** Copies descriptions, because the converter misses those that follow a transformation. */
function describe(converted: JsonSchema | undefined, entries: v.ObjectEntries): void {
  for (const [name, property] of Object.entries(converted?.properties ?? {})) {
    const entry = entries[name]
    if (entry === undefined || typeof property !== 'object') continue
    Object.assign(property, descriptionOf(entry))
    const inner = unwrapped(entry)
    // The cast: only valibot's object schemas have this member.
    if ('entries' in inner) describe(property, inner.entries as v.ObjectEntries)
  }
}

function descriptionOf(schema: v.ObjectEntries[string]): { readonly description?: string } {
  // The cast: no schema is asynchronous.
  const description = v.getDescription(schema as v.GenericSchema) ?? v.getDescription(unwrapped(schema))
  return description === undefined ? {} : { description }
}

/** The schema inside an optional one. The casts: the wrapped value is a schema, and no schema is asynchronous. */
const unwrapped = (schema: v.ObjectEntries[string]): v.GenericSchema =>
  ('wrapped' in schema ? schema.wrapped : schema) as v.GenericSchema

type Variant = {
  readonly key: string
  readonly options: readonly { readonly entries: Readonly<Record<string, v.LiteralSchema<string, undefined>>> }[]
}

const isVariant = (schema: v.GenericSchema): schema is v.GenericSchema & Variant => schema.type === 'variant'

/** Adds the discriminator of a variant. Each option is a named schema. */
function discriminate(converted: JsonSchema | undefined, { key, options }: Variant): void {
  const mapping = Object.fromEntries(
    options.map(({ entries }, index) => {
      const choice = converted?.oneOf?.[index]
      return [entries[key]?.literal, typeof choice === 'object' ? choice.$ref : undefined]
    }),
  )
  Object.assign(converted ?? {}, { discriminator: { propertyName: key, mapping } })
}
