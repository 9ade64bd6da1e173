import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'

/** Schemas by the names under which a document refers to them. */
export type NamedSchemas = Readonly<Record<string, v.GenericSchema>>

// What checks more than JSON Schema can say has its JSON Schema form beside it, as metadata.
const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: ['brand', 'check', 'partial_check', 'max_code_points', 'raw_transform'],
  // What makes clients of documents wants a type beside a constant.
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    valibotSchema.type === 'literal' ? { type: typeOf(jsonSchema.const), ...jsonSchema } : undefined,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
}

const typeOf = (constant: unknown): 'boolean' | 'number' | 'string' =>
  typeof constant === 'boolean' ? 'boolean' : typeof constant === 'number' ? 'number' : 'string'

/** What a document says of each named schema. They may refer to each other. */
export function namedJsonSchemas(named: NamedSchemas): Readonly<Record<string, JsonSchema>> {
  const converted = toJsonSchemaDefs(named, config)
  for (const [name, schema] of Object.entries(named)) {
    if ('entries' in schema) describe(converted[name], schema.entries as v.ObjectEntries)
  }
  return converted
}

/** What a document says of a schema that is used in one place. */
export function jsonSchemaOf(schema: v.GenericSchema, named: NamedSchemas): JsonSchema {
  const { $schema, $defs, ...converted } = toJsonSchema(schema, { ...config, definitions: named })
  return { ...converted, ...descriptionOf(schema) }
}

/** A description stands behind what turns the input into a value, where the converter does not look any more. */
function describe(converted: JsonSchema | undefined, entries: v.ObjectEntries): void {
  for (const [name, property] of Object.entries(converted?.properties ?? {})) {
    const entry = entries[name]
    if (entry !== undefined && typeof property === 'object') Object.assign(property, descriptionOf(entry))
  }
}

function descriptionOf(schema: v.ObjectEntries[string]): { readonly description?: string } {
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : undefined
  const description = v.getDescription(schema as v.GenericSchema) ?? (inner && v.getDescription(inner))
  return description === undefined ? {} : { description }
}
