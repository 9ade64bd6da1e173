import type { ObjectSchema } from '@auction/domain/parsing'
import type { JsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Operation } from '../operations/operation.ts'
import { csvType } from '../requests/json-body.ts'
import type { Header } from '../requests/parameters.ts'
import { validBodies, validCsv } from './examples.ts'
import { refTo, requestName } from './names.ts'
import type { OperationObject, ParameterObject, Reference } from './openapi.ts'
import { integerFromZero, jsonSchemaOf } from './schemas.ts'

const header = (
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
  required = false,
): ParameterObject => ({ name, in: 'header', required, description, schema })

export const sharedParameters = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes retries safe: the same request with the same key takes effect only once.',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  ),
  IfNoneMatch: header('If-None-Match', 'Entity tags of cached responses. The server returns 304 if one is current.'),
  IfMatch: header(
    'If-Match',
    'Entity tags, one of which must be that of the resource, or `*` for any state of it. Weak tags never match.',
    { type: 'string', pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$' },
    true,
  ),
  LastEventId: header(
    'Last-Event-ID',
    'For a stream: the `id` of the last event that the client has. It takes precedence over `lastEventId` and `after`.',
    integerFromZero,
  ),
  RequestId: header('X-Request-Id', 'An id for this request. The server replaces an invalid one.'),
  TraceParent: header('traceparent', 'The W3C trace context. The server ignores an invalid one.'),
}

const headerParameters = {
  'If-Match': 'IfMatch',
  'Last-Event-ID': 'LastEventId',
} as const satisfies Record<Header<unknown>['name'], keyof typeof sharedParameters>

/** The parameters of all operations. The page at /docs hides them. */
const standardParameters: readonly string[] = ['RequestId', 'TraceParent']

export function parametersOf({ route, schemas, examples }: Operation): readonly (ParameterObject | Reference)[] {
  const { parameters, query, header, body, isTagged } = schemas
  const [example] = Object.values(examples)
  const inPath = Object.entries(parameters?.entries ?? {}).map(([name, schema]) => ({
    ...parameterOf(name, 'path', schema),
    example: example?.parameters?.[name],
  }))
  const inQuery = Object.entries(query?.entries ?? {}).map(([name, schema]) => parameterOf(name, 'query', schema))
  const shared = [
    ...(body ? ['IdempotencyKey'] : []),
    ...(isTagged && route.method === 'GET' ? ['IfNoneMatch'] : []),
    ...(header ? [headerParameters[header.name]] : []),
    ...standardParameters,
  ]
  return [...inPath, ...inQuery, ...shared.map((name) => refTo('parameters', name))]
}

function parameterOf(name: string, location: 'path' | 'query', entry: v.ObjectEntries[string]): ParameterObject {
  // The cast: the type allows asynchronous entries, but no schema here has any.
  const { description = '', ...schema } = jsonSchemaOf(entry as v.GenericSchema)
  return { name, in: location, required: entry.type !== 'optional', description, schema }
}

export function bodyOf(operation: Operation): Pick<OperationObject, 'requestBody'> {
  const { body } = operation.schemas
  if (body === undefined) return {}
  const examples = validBodies(operation)
  const schema = refTo('schemas', requestName(operation))
  const description = `Up to ${body.maxBytes / 1024} KiB.`
  const { csvFormat } = body
  const example = validCsv(operation)
  const csv = { schema: { type: 'string', description: csvFormat }, ...(example !== undefined && { example }) } as const
  const content = { [body.mediaType]: { schema, examples }, ...(csvFormat !== undefined && { [csvType]: csv }) }
  return { requestBody: { description, required: !body.isOptional, content } }
}

/** The schemas of bodies. They refuse unknown fields and ignore the fields that the service assigns. */
export const requestSchemas = (operations: readonly Operation[]): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    operations.flatMap((operation) => {
      const { body } = operation.schemas
      if (body === undefined) return []
      const ignored = Object.fromEntries([...body.ignored].map((name) => [name, assigned]))
      const strict = strictly(jsonSchemaOf(body.schema))
      const properties = { ...strict.properties, ...ignored }
      const formats =
        body.formats === undefined ? {} : conditionsOf(Object.entries(body.formats), { ...strict, properties })
      return [[requestName(operation), { ...strict, properties, ...formats }]]
    }),
  )

/**
 * What each format requires and refuses: if it is named, and otherwise what the next one does; the last one is that of a
 * body without a name. Generators of clients skip these keywords, and so offer all fields.
 */
function conditionsOf(
  formats: readonly (readonly [string, ObjectSchema])[],
  { properties = {}, required = [] }: JsonSchema,
): JsonSchema {
  const [first, ...others] = formats
  if (first === undefined) return {}
  const conditionOf = ([, { entries }]: typeof first): JsonSchema => {
    const names = Object.keys(properties).filter((name) => name !== 'format' && isOffered(name, formats))
    const needed = names.filter((name) => isRequired(entries[name]) && !required.includes(name))
    const refused = names.filter((name) => !Object.hasOwn(entries, name))
    const own = [...needed.map((name) => [name, properties[name]]), ...refused.map((name) => [name, { not: {} }])]
    return { required: needed, properties: Object.fromEntries(own), ...anyOthers }
  }
  return others.reduceRight((otherwise: JsonSchema, format): JsonSchema => {
    const named = { format: { type: 'string', const: format[0] } } as const
    return Object.fromEntries([
      ['if', { properties: named, required: ['format'], ...anyOthers }],
      ['then', conditionOf(format)],
      ['else', otherwise],
    ])
  }, conditionOf(first))
}

/** A condition allows the fields that it does not name. Some linters refuse them, unless a schema allows them. */
const anyOthers = { additionalProperties: true } as const

const isRequired = (entry: ObjectSchema['entries'][string] | undefined): boolean =>
  entry !== undefined && entry.type !== 'nullish' && entry.type !== 'optional'

const isOffered = (name: string, formats: readonly (readonly [string, ObjectSchema])[]): boolean =>
  formats.some(([, { entries }]) => Object.hasOwn(entries, name))

const assigned = { readOnly: true, description: 'Assigned by the service; ignored in requests.' } as const

function strictly({ properties = {}, ...schema }: JsonSchema): JsonSchema {
  const checked = Object.entries(properties).map(([name, property]) => [name, withoutFormat(property)])
  return { ...schema, properties: Object.fromEntries(checked), additionalProperties: false }
}

/**
 * Removes `format` where a pattern exists: generated clients write a `date-time` with `+00:00`, which the patterns
 * refuse.
 */
function withoutFormat(property: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof property !== 'object') return property
  if (property.properties !== undefined) return strictly(property)
  if (property.pattern === undefined) return property
  const { format: _, ...rest } = property
  return rest
}
