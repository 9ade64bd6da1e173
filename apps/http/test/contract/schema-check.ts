import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { document } from './document.ts'

/** What of a value breaks a schema of the document: nothing, if it keeps to it. */
export type Check = (value: unknown) => readonly string[]

// The document has keywords of OpenAPI, such as `discriminator`, which do not constrain a value.
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Makes the check of an answer's schema. A member that is not in the document is a breach here: this version must not send it. */
export const answerCheck = (schema: object): Check => checkOf(schema, closedComponents)

/** Makes the check of what a request brings, which is as strict as the document says. */
export const requestCheck = (schema: object): Check => checkOf(schema, document.components)

const validators = new WeakMap<object, ValidateFunction>()

function checkOf(schema: object, components: object): Check {
  // Its references begin at the root of a document, so it gets one.
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components })
  validators.set(schema, validate)
  return (value) => {
    validate(value)
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    )
  }
}

const closedComponents = closed(document.components) as typeof document.components // Of the same form.

/** Schemas that take no member which they do not name. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const copy = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]))
  return part && 'properties' in part ? { ...copy, additionalProperties: false } : copy
}
