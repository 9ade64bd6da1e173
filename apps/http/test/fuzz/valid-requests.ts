import fc from 'fast-check'
import type { JsonSchema, ParameterObject } from '../../src/api/openapi/openapi.ts'
import { type DocumentedOperation, document, resolved } from '../contract/document.ts'
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
function parametersIn(location: ParameterObject['in'], documented: DocumentedOperation): fc.Arbitrary<Parts['path']> {
  const parameters = parametersOf(documented).filter((parameter) => parameter.in === location)
  const valueFor = (schema: JsonSchema) => (location === 'header' ? validHeader(schema) : validText(schema))
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

/** The parts of a request. */
export type Parts = {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A request as it is sent. */
export type FuzzedRequest = {
  readonly operation: string
  /** The error in it. */
  readonly broken?: string
  /** The status of its response. */
  readonly expected?: number
  /** The pointer of the error in the response. */
  readonly pointer?: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export function requestOf({ method, path, operation }: DocumentedOperation, parts: Parts): FuzzedRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parts.path[name])))
  const query = new URLSearchParams(texts(parts.query))
  const headers = texts(parts.header)
  const request = {
    operation: operation.operationId,
    method,
    path: query.size === 0 ? filled : `${filled}?${query}`,
    headers,
  }
  if (operation.requestBody === undefined) return request
  const [mediaType = ''] = Object.keys(operation.requestBody.content)
  return { ...request, headers: { 'content-type': mediaType, ...headers }, body: JSON.stringify(parts.body) }
}

/** The limit of the body of an operation, which is in the description. */
export const maxBytesOf = ({ operation }: DocumentedOperation): number =>
  Number(/\d+/.exec(operation.requestBody?.description ?? '')?.[0] ?? 0) * 1024

/** Whether the body of a request is within the limit of its operation: some values are large. */
export const isWithinLimit = (documented: DocumentedOperation, { body = '', expected }: FuzzedRequest): boolean =>
  expected === 413 || Buffer.byteLength(body) <= maxBytesOf(documented)

const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
