import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { createAsyncApiDocument } from '../../src/api/asyncapi/document.ts'
import { closed } from './schema-check.ts'

/** The document of the streams and the webhooks. */
export const asyncApi = createAsyncApiDocument('0.2.0')

export type Message = { readonly headers: object; readonly payload: unknown }

// The schemas of AsyncAPI are those of draft 7. An undocumented member is a violation: this version must not send it.
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const components = closed(asyncApi.components) as object

const validators = new Map<string, ValidateFunction>()

/** The ways in which a message violates what the document declares under this name; empty if it conforms. */
export function violationsOf(name: string, message: Message): readonly string[] {
  const declared = asyncApi.components.messages[name]
  if (declared === undefined) return [`the document has no message ${name}`]
  const { headers, payload } = declared
  const schema = { type: 'object', properties: { headers, payload }, components }
  const validate = validators.get(name) ?? ajv.compile(schema)
  validators.set(name, validate)
  validate(message)
  return (validate.errors ?? []).map(
    ({ instancePath, message: problem, params }) => `${name}${instancePath} ${problem} ${JSON.stringify(params)}`,
  )
}
