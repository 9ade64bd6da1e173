import fc from 'fast-check'
import type { JsonSchema, ParameterObject } from '../../src/api/openapi/openapi.ts'
import { type DocumentedOperation, document, resolved } from '../contract/document.ts'
import type { Parts } from './request.ts'
import { validValues } from './values.ts'

export const parametersOf = ({ operation }: DocumentedOperation): readonly ParameterObject[] =>
  operation.parameters.map((parameter) => resolved(parameter, 'parameters'))

/** Every part of a request for an operation, as the document requires. */
export const validParts = (documented: DocumentedOperation): fc.Arbitrary<Parts> =>
  fc.record(
    {
      path: parametersIn('path', documented),
      query: parametersIn('query', documented),
      header: parametersIn('header', documented),
      body: validBody(documented),
    },
    { requiredKeys: ['path', 'query', 'header', 'body'] },
  )

/** Any number of the optional parameters: some exclude others, so that requests with most of them are refused. */
function parametersIn(place: ParameterObject['in'], documented: DocumentedOperation): fc.Arbitrary<Parts['path']> {
  const parameters = parametersOf(documented).filter((parameter) => parameter.in === place)
  const valueFor = (schema: JsonSchema) => (place === 'header' ? validHeader(schema) : validText(schema))
  return fc
    .subarray(parameters.filter(({ required }) => !required))
    .map((chosen) => parameters.filter((each) => each.required || chosen.includes(each)))
    .chain((given) => fc.record(Object.fromEntries(given.map(({ name, schema }) => [name, valueFor(schema)]))))
}

// Values that a URL can contain.
const validText = (schema: JsonSchema) => validValues(schema).filter((value) => String(value).isWellFormed())

const validHeader = (schema: JsonSchema) =>
  schema.pattern === undefined ? fc.stringMatching(/^[\x21-\x7e]{1,60}$/) : validValues(schema)

/** The only media type of the body of an operation. */
const bodyOf = ({ operation }: DocumentedOperation) => Object.values(operation.requestBody?.content ?? {})[0]

/** The schema of the body of an operation, if it has one. */
export function bodySchema(documented: DocumentedOperation): JsonSchema | undefined {
  const declared = bodyOf(documented)?.schema
  if (declared?.$ref === undefined) return undefined
  return document.components.schemas[declared.$ref.replace('#/components/schemas/', '')]
}

/** The body of an example, one with other fields, or any other. */
function validBody(documented: DocumentedOperation): fc.Arbitrary<unknown> {
  const schema = bodySchema(documented)
  const examples = bodyOf(documented)?.examples ?? {}
  if (schema === undefined) return fc.constant(undefined)
  const example = fc.constantFrom(...Object.values(examples).map(({ value }) => value))
  const changed = fc
    .tuple(example, fc.constantFrom(...Object.entries(schema.properties ?? {})))
    .chain(([value, [name, property]]) => validValues(property).map((field) => ({ ...value, [name]: field })))
  return fc.oneof(example, changed, validValues(schema))
}
