import { isPlainObject, pointerTo } from '@auction/domain/parsing'
import fc from 'fast-check'
import type { JsonSchema } from '../../src/api/openapi/openapi.ts'
import { operations } from '../../src/api/operations/table.ts'
import { type DocumentedOperation, documented } from '../contract/document.ts'
import { tokenOf } from '../support/tokens.ts'
import {
  bodySchema,
  type FuzzedRequest,
  maxBytesOf,
  type Parts,
  parametersOf,
  requestOf,
  validParts,
} from './valid-requests.ts'
import { invalidTexts, invalidValues } from './values.ts'

type Break = (documented: DocumentedOperation, parts: Parts) => readonly fc.Arbitrary<FuzzedRequest>[]

/** A request with one error, and the response that it must have. */
export const invalidRequest = (documented: DocumentedOperation): fc.Arbitrary<FuzzedRequest> =>
  validParts(documented).chain((parts) => fc.oneof(...breaks.flatMap((broken) => broken(documented, parts))))

const broken = (
  documented: DocumentedOperation,
  parts: Parts,
  {
    changes = {},
    ...expectation
  }: Partial<FuzzedRequest> & { readonly broken: string; readonly expected: number; changes?: object },
): FuzzedRequest => ({ ...requestOf(documented, parts), ...changes, ...expectation })

/** A path or query parameter that does not match its schema. */
const wrongParameter: Break = (documented, parts) =>
  parametersOf(documented).flatMap(({ name, in: location, schema }) => {
    if (location === 'header') return []
    // In a path, an empty text or dots make a different path.
    const texts = invalidTexts(schema).filter((text) => location === 'query' || !/^\.{0,2}$/.test(text))
    const withText = (text: string) =>
      broken(
        documented,
        { ...parts, [location]: { ...parts[location], [name]: text } },
        { broken: `${location} ${name}`, expected: 400, pointer: pointerTo([name]) },
      )
    return texts.length === 0 ? [] : [fc.constantFrom(...texts).map(withText)]
  })

/** Without a parameter that is required. */
const missingParameter: Break = (documented, parts) =>
  parametersOf(documented)
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => {
      const { [name]: _, ...query } = parts.query
      const expectation = { broken: `no ${name}`, expected: 400, pointer: pointerTo([name]) }
      return fc.constant(broken(documented, { ...parts, query }, expectation))
    })

const strangeQuery: Break = (documented, parts) => {
  const names = parametersOf(documented).filter((parameter) => parameter.in === 'query')
  if (names.length === 0) return []
  const { path } = requestOf(documented, { ...parts, query: {} })
  const [{ name: known } = { name: '' }] = names
  return [
    fc.constant(broken(documented, parts, { broken: 'unknown parameter', expected: 400, path: `${path}?colour=red` })),
    fc.constant(
      broken(documented, parts, { broken: 'repeated parameter', expected: 400, path: `${path}?${known}=1&${known}=1` }),
    ),
  ]
}

const wrongKey: Break = (documented, parts) => {
  if (!parametersOf(documented).some(({ name }) => name === 'Idempotency-Key')) return []
  return [fc.constantFrom('two words', 'é', 'x'.repeat(256), 'tab\there')].map((keys) =>
    keys.map((key) =>
      broken(
        documented,
        { ...parts, header: { ...parts.header, 'Idempotency-Key': key } },
        { broken: 'Idempotency-Key', expected: 400, pointer: '/Idempotency-Key' },
      ),
    ),
  )
}

type Fields = Readonly<Record<string, unknown>>

/** A field that is missing, invalid or unknown; or a body that is not an object. */
const wrongBody: Break = (documented, parts) => {
  const schema = bodySchema(documented)
  if (schema === undefined) return []
  const body = parts.body as Fields // Its schema is an object.
  const withBody = (changed: unknown, what: string, pointer: string) =>
    broken(documented, { ...parts, body: changed }, { broken: what, expected: 400, pointer })
  const noObject = fc
    .constantFrom(null, true, 1, 'text', [], [body])
    .map((value) => withBody(value, `no object: ${JSON.stringify(value)}`, ''))
  const wrong = wrongFields(schema, body).map((changes) =>
    changes.map(({ object, what, path }) => withBody(object, what, pointerTo(path))),
  )
  return [...wrong, noObject]
}

/** An object with an invalid field, and the path of the field. */
type WrongFields = { readonly object: Fields; readonly what: string; readonly path: readonly string[] }

/** Makes fields of an object invalid, including those of nested objects. */
function wrongFields(schema: JsonSchema, object: Fields): readonly fc.Arbitrary<WrongFields>[] {
  const properties = Object.entries(schema.properties ?? {})
  const missing = (schema.required ?? []).map((name) =>
    fc.constant({ object: { ...object, [name]: undefined }, what: `no ${name}`, path: [name] }),
  )
  const wrong = properties.flatMap(([name, property]) => {
    const values = invalidValues(property)
    const withValue = (value: unknown) => ({
      object: { ...object, [name]: value },
      what: `${name}: ${JSON.stringify(value)}`,
      path: [name],
    })
    return values.length === 0 ? [] : [fc.constantFrom(...values).map(withValue)]
  })
  const within = properties.flatMap(([name, property]) => {
    const inner = object[name]
    if (typeof property !== 'object' || property.properties === undefined || !isPlainObject(inner)) return []
    if (isOfAnotherFormat(name, schema, object)) return []
    return wrongFields(property, inner).map((changes) =>
      changes.map(({ object: changed, what, path }) => ({
        object: { ...object, [name]: changed },
        what: `${name}: ${what}`,
        path: [name, ...path],
      })),
    )
  })
  const unknown = fc
    .string({ minLength: 1, maxLength: 100 })
    .filter((name) => !Object.hasOwn(schema.properties ?? {}, name) && name !== '__proto__')
    .map((name) => ({ object: { ...object, [name]: 1 }, what: `unknown ${name}`, path: [name] }))
  return [...missing, ...wrong, ...within, unknown]
}

/** Whether the format of a body refuses a field. Its error is that of the field, whatever is within. */
function isOfAnotherFormat(name: string, schema: JsonSchema, object: Fields): boolean {
  // Conditions are not booleans, and compare the format with a constant, one after another.
  let rules = schema
  while (rules.if !== undefined) {
    const { format } = Object(Object(rules.if).properties)
    rules = Object(object['format'] === format?.const ? rules.then : rules.else)
  }
  // That without a condition is a part of one, unless the body has no formats.
  return rules !== schema && Object.hasOwn(Object(rules.properties?.[name]), 'not')
}

/** Bytes that are not JSON, too many, or not declared as JSON. */
const wrongBytes: Break = (documented, parts) => {
  const request = requestOf(documented, parts)
  if (typeof request.body !== 'string') return []
  const text = request.body
  const isRequired = documented.operation.requestBody?.required === true
  const change = (what: string, expected: number, changes: object) =>
    broken(documented, parts, { broken: what, expected, changes })
  return [
    // If the body is optional, an empty one is valid.
    fc
      .integer({ min: isRequired ? 0 : 1, max: text.length - 1 })
      .map((end) => change('cut off', 400, { body: text.slice(0, end) })),
    fc
      .constantFrom(
        `${text},`,
        `${text}${text}`,
        `\uFEFF${text}`,
        text.replace('{', '{"amount":1,"amount":2,'),
        'NaN',
        "{'a':1}",
      )
      .map((body) => change('malformed JSON', 400, { body })),
    fc.constant(change('not UTF-8', 400, { body: Uint8Array.from([...Buffer.from(text.slice(0, -1)), 0xff, 0x7d]) })),
    fc.constant(change('too large', 413, { body: text + ' '.repeat(maxBytesOf(documented)) })),
    fc
      .constantFrom('text/plain', 'application/xml', 'application/jsonp', 'multipart/form-data; boundary=x')
      .map((type) => change(type, 415, { headers: { ...request.headers, 'content-type': type } })),
    fc.constant(change('compressed', 415, { headers: { ...request.headers, 'content-encoding': 'gzip' } })),
  ]
}

const wrongToken: Break = (documented, parts) => {
  const { permissions } = operations.find(({ route }) => route.name === documented.operation.operationId)?.route ?? {}
  if (permissions === undefined) return []
  const { headers } = requestOf(documented, parts)
  const withToken = (what: string, expected: number, authorization: string) =>
    fc.constant(
      broken(documented, parts, { broken: what, expected, changes: { headers: { ...headers, authorization } } }),
    )
  return [
    withToken('no token', 401, ''),
    withToken('no bearer', 401, 'Basic YW5uYTpwYXNz'),
    withToken('another signature', 401, `Bearer ${tokenOf('anna').slice(0, -4)}AAAA`),
    // By default, every valid token can read.
    ...(!permissions.names.every((name) => name.endsWith('.Read'))
      ? [withToken('no permission', 403, `Bearer ${tokenOf('eve', { permissions: [] })}`)]
      : []),
  ]
}

const wrongMethod: Break = (asked, parts) => [
  fc
    .constantFrom('PUT', 'PATCH', 'DELETE')
    .filter((method) => !documented.some((each) => each.path === asked.path && each.method === method))
    .map((method) => broken(asked, parts, { broken: method, expected: 405, changes: { method } })),
]

const breaks = [
  wrongParameter,
  missingParameter,
  strangeQuery,
  wrongKey,
  wrongBody,
  wrongBytes,
  wrongToken,
  wrongMethod,
]
