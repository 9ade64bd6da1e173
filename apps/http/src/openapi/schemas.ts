import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { refTo } from './names.ts'

/** Schemas by the names under which a document refers to them. */
export type NamedSchemas = Readonly<Record<string, v.GenericSchema>>

// What checks more than JSON Schema can say has its JSON Schema form beside it, as metadata.
const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: ['brand', 'check', 'partial_check', 'max_code_points', 'raw_transform'],
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    // What makes clients of documents wants a type beside a constant.
    if (valibotSchema.type === 'literal') return { type: typeOf(jsonSchema.const), ...jsonSchema }
    if (valibotSchema.type === 'nullable' || valibotSchema.type === 'nullish') return withNull(jsonSchema)
    return undefined
  },
  overrideRef: ({ referenceId }) => refTo('schemas', referenceId).$ref,
}

const typeOf = (constant: unknown): 'boolean' | 'number' | 'string' =>
  typeof constant === 'boolean' ? 'boolean' : typeof constant === 'number' ? 'number' : 'string'

/** Writes null as one of the types, where there is one type beside it: shorter than a choice of schemas, and read by more tools. */
function withNull(choice: JsonSchema): JsonSchema | undefined {
  const [inner] = choice.anyOf ?? []
  if (typeof inner !== 'object' || typeof inner.type !== 'string') return undefined
  const { anyOf: _, ...around } = choice
  return { ...inner, ...around, type: [inner.type, 'null'] }
}

/** What a document says of each named schema. They may refer to each other. */
export function namedJsonSchemas(named: NamedSchemas): Readonly<Record<string, JsonSchema>> {
  const converted = toJsonSchemaDefs(named, config)
  for (const [name, schema] of Object.entries(named)) {
    // The cast: of valibot's schemas, those with this member are objects.
    if ('entries' in schema) describe(converted[name], schema.entries as v.ObjectEntries)
    if (isVariant(schema)) discriminate(converted[name], schema)
  }
  return converted
}

/** What a document says of a schema that is used in one place. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema, $defs, ...converted } = toJsonSchema(schema, config)
  return { ...converted, ...descriptionOf(schema) }
}

/** A description stands behind what turns the input into a value, where the converter does not look any more. */
function describe(converted: JsonSchema | undefined, entries: v.ObjectEntries): void {
  for (const [name, property] of Object.entries(converted?.properties ?? {})) {
    const entry = entries[name]
    if (entry === undefined || typeof property !== 'object') continue
    Object.assign(property, descriptionOf(entry))
    const inner = unwrapped(entry)
    // The cast: of valibot's schemas, those with this member are objects.
    if ('entries' in inner) describe(property, inner.entries as v.ObjectEntries)
  }
}

function descriptionOf(schema: v.ObjectEntries[string]): { readonly description?: string } {
  // The cast: none is asynchronous.
  const description = v.getDescription(schema as v.GenericSchema) ?? v.getDescription(unwrapped(schema))
  return description === undefined ? {} : { description }
}

/** The schema of what may be left out. The casts: what is wrapped is a schema, and none is asynchronous. */
const unwrapped = (schema: v.ObjectEntries[string]): v.GenericSchema =>
  ('wrapped' in schema ? schema.wrapped : schema) as v.GenericSchema

type Variant = {
  readonly key: string
  readonly options: readonly { readonly entries: Readonly<Record<string, v.LiteralSchema<string, undefined>>> }[]
}

const isVariant = (schema: v.GenericSchema): schema is v.GenericSchema & Variant => schema.type === 'variant'

/** Says which member tells the choices apart. Each of them has a name of its own in the document. */
function discriminate(converted: JsonSchema | undefined, { key, options }: Variant): void {
  const mapping = Object.fromEntries(
    options.map(({ entries }, index) => {
      const choice = converted?.oneOf?.[index]
      return [entries[key]?.literal, typeof choice === 'object' ? choice.$ref : undefined]
    }),
  )
  Object.assign(converted ?? {}, { discriminator: { propertyName: key, mapping } })
}
