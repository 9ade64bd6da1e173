import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { refTo } from './names.ts'

// Checks that JSON Schema cannot express have their JSON Schema form in the metadata.
const plainConfig: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: ['brand', 'check', 'partial_check', 'max_code_points', 'raw_check', 'raw_transform'],
  // The casts: a schema has the form of its type.
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    switch (valibotSchema.type) {
      case 'custom':
        return jsonSchema // Its metadata is the whole schema.
      case 'literal':
        return constant(jsonSchema.const)
      case 'number':
        return { ...jsonSchema, format: 'double' }
      case 'nullable':
      case 'nullish':
        return withNull(jsonSchema)
      case 'object':
        return describe(jsonSchema, valibotSchema as v.ObjectSchema<v.ObjectEntries, undefined>)
      default:
        return undefined
    }
  },
  // Generators of clients choose 32 bits for numbers without a format, which round prices and exclude large ids.
  overrideAction: ({ valibotAction, jsonSchema }) =>
    integerActions.includes(valibotAction.type) ? { ...jsonSchema, format: 'int64' } : undefined,
  overrideRef: ({ referenceId }) => refTo('schemas', referenceId).$ref,
}

const integerActions: readonly string[] = ['integer', 'safe_integer']

/**
 * Converts a constant. Only a string is a `const`: generators of clients make enumerations of all constants, and those of
 * booleans and numbers do not compile in Java. A number is its only value between its bounds.
 */
function constant(value: unknown): JsonSchema {
  if (typeof value === 'string') return { type: 'string', const: value }
  if (typeof value === 'boolean') return { type: 'boolean' }
  return jsonSchemaOf(v.pipe(v.number(), v.integer(), v.minValue(Number(value)), v.maxValue(Number(value))))
}

/** Variants have the discriminators of OpenAPI, which AsyncAPI does not have. */
const config: ConversionConfig = {
  ...plainConfig,
  overrideSchema(context) {
    const { valibotSchema, jsonSchema } = context
    if (valibotSchema.type !== 'variant') return plainConfig.overrideSchema?.(context)
    // The cast: the schema has the form of its type.
    return discriminate(jsonSchema, valibotSchema as v.GenericSchema & Variant)
  },
}

type NamedSchemas = Readonly<Record<string, v.GenericSchema>>

/** Converts named schemas, which may refer to each other. */
export const namedJsonSchemas = (named: NamedSchemas): Readonly<Record<string, JsonSchema>> =>
  markNullable(toJsonSchemaDefs(named, config))

/** The same without keywords of OpenAPI. */
export const plainJsonSchemas = (named: NamedSchemas): Readonly<Record<string, JsonSchema>> =>
  markNullable(toJsonSchemaDefs(named, plainConfig))

/**
 * Marks each schema that is somewhere one of two choices, of which the other is null. A client of openapi-generator in
 * Java reads a null there only if the schema itself has this mark, which other programs ignore.
 */
function markNullable(named: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  const text = JSON.stringify(named)
  const isNullable = (name: string) => text.includes(JSON.stringify([refTo('schemas', name), { type: 'null' }]))
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [
      name,
      isNullable(name) ? { ...schema, 'x-nullable': true } : schema,
    ]),
  )
}

/** Converts a schema that has no name. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema, $defs, ...converted } = toJsonSchema(schema, config)
  return { ...converted, ...descriptionOf(schema) }
}

/** The schema of a header, which has none of the domain. */
export const integerFromZero = jsonSchemaOf(v.pipe(v.number(), v.integer(), v.minValue(0)))

/**
 * Writes a nullable schema as a list of types, which is shorter than `anyOf` and supported by more tools. An enumeration
 * has no null, with which generators of clients misread it.
 */
function withNull(choice: JsonSchema): JsonSchema | undefined {
  const [inner] = choice.anyOf ?? []
  if (typeof inner !== 'object' || typeof inner.type !== 'string') return undefined
  const { anyOf: _, ...around } = choice
  return { ...inner, ...around, type: inner.enum === undefined ? [inner.type, 'null'] : inner.type }
}

/** Copies descriptions, because the converter misses those that follow a transformation. */
function describe(converted: JsonSchema, { entries }: v.ObjectSchema<v.ObjectEntries, undefined>): JsonSchema {
  // The casts: the converter writes an object for each entry, and no schema is asynchronous.
  const properties = Object.entries(converted.properties ?? {}).map(([name, property]) => [
    name,
    { ...(property as JsonSchema), ...descriptionOf(entries[name] as v.GenericSchema) },
  ])
  return { ...converted, properties: Object.fromEntries(properties) }
}

function descriptionOf(schema: v.GenericSchema): { readonly description?: string } {
  // The cast: an optional schema wraps a schema.
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema
  const description = v.getDescription(schema) ?? v.getDescription(inner)
  return description === undefined ? {} : { description }
}

type Variant = {
  readonly key: string
  readonly options: readonly { readonly entries: Readonly<Record<string, v.LiteralSchema<string, undefined>>> }[]
}

/** Adds the discriminator of a variant. Each option is a named schema. */
function discriminate(converted: JsonSchema, { key, options }: Variant): JsonSchema {
  const refs = converted.oneOf?.map((choice) => (typeof choice === 'object' ? choice.$ref : undefined)) ?? []
  const mapping = Object.fromEntries(options.map(({ entries }, index) => [entries[key]?.literal, refs[index]]))
  return Object.assign(converted, { discriminator: { propertyName: key, mapping } })
}
