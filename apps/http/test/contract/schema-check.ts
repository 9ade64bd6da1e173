import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { document } from './document.ts'

/** The ways in which a value violates a schema of the document; empty if it conforms. */
export type Check = (value: unknown) => readonly string[]

// The document has keywords of OpenAPI, such as `discriminator`, which do not constrain a value.
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Compiles the check of a response schema. An undocumented member is a violation: this version must not send it. */
export const responseCheck = (schema: object): Check => checkOf(schema, closedComponents)

/** Compiles the check of a request, which is as strict as the document. */
export const requestCheck = (schema: object): Check => checkOf(schema, document.components)

const validators = new WeakMap<object, ValidateFunction>()

function checkOf(schema: object, components: object): Check {
  // References start at the root of a document, so it needs one.
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components })
  validators.set(schema, validate)
  return (value) => {
    validate(value)
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    )
  }
}

const closedComponents = closed(document.components) as typeof document.components // With the same form.

/** Schemas that accept no undeclared members. */
export function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const copy = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]))
  return part && 'properties' in part ? { ...copy, additionalProperties: false } : copy
}
