import type { JsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Operation } from '../operations/operation.ts'
import { bodyLimitBytes } from '../requests/json-body.ts'
import { namedExamples } from './examples.ts'
import { refTo, requestName } from './names.ts'
import type { OperationObject, ParameterObject, Reference } from './openapi.ts'
import { jsonSchemaOf, namedJsonSchemas } from './schemas.ts'

/** The headers that requests may carry. */
export const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      "The caller's own name for this request: sent again with the same body, it is answered the first 201 again, and done once.",
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Entity tags that the caller has seen: one of them is answered 304.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'An id of the caller for this request; one that is not sane is replaced.',
    schema: { type: 'string' },
  },
  TraceParent: {
    name: 'traceparent',
    in: 'header',
    required: false,
    description: 'The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored.',
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, ParameterObject>>

export function parametersOf({
  parameters = {},
  query,
  body,
  success,
  examples: [example],
}: Operation): readonly (ParameterObject | Reference)[] {
  const inPath = Object.entries(parameters).map(([name, schema]) => ({
    ...parameterOf(name, 'path', schema),
    example: example?.request.parameters?.[name],
  }))
  const inQuery = Object.entries(query?.entries ?? {}).map(([name, schema]) => parameterOf(name, 'query', schema))
  const shared = [
    ...(body ? ['IdempotencyKey'] : []),
    ...(success.tagged ? ['IfNoneMatch'] : []),
    'RequestId',
    'TraceParent',
  ]
  return [...inPath, ...inQuery, ...shared.map((name) => refTo('parameters', name))]
}

function parameterOf(name: string, place: 'path' | 'query', entry: v.ObjectEntries[string]): ParameterObject {
  // The cast: what has entries may have asynchronous ones by its type, and there are none.
  const { description = '', ...schema } = jsonSchemaOf(entry as v.GenericSchema)
  return { name, in: place, required: place === 'path', description, schema }
}

export function bodyOf(operation: Operation): Pick<OperationObject, 'requestBody'> {
  if (operation.body === undefined) return {}
  // What is refused as invalid breaks the schema, or a rule that no schema says: it is no model to follow.
  const models = operation.examples.filter(({ answer }) => answer.status !== 400)
  const examples = namedExamples(models, ({ request }) => request.body)
  const schema = refTo('schemas', requestName(operation))
  const required = operation.body.isOptional !== true
  const description = `Up to ${bodyKiB(operation.body)} KiB.`
  return { requestBody: { description, required, content: { 'application/json': { schema, examples } } } }
}

/** How large a body may be. */
export const bodyKiB = ({ maxBytes = bodyLimitBytes }: { readonly maxBytes?: number }): number => maxBytes / 1024

/** The schemas of bodies: nothing unknown is taken, and what the service assigns is dropped. */
export function requestSchemas(operations: readonly Operation[]): Readonly<Record<string, JsonSchema>> {
  const withBody = operations.flatMap((operation) => (operation.body ? [{ operation, body: operation.body }] : []))
  const ofBodies = namedJsonSchemas(
    Object.fromEntries(withBody.map(({ operation, body }) => [requestName(operation), body.schema])),
  )
  return Object.fromEntries(
    withBody.map(({ operation, body }) => {
      const converted = ofBodies[requestName(operation)]
      const ignored = Object.fromEntries([...body.ignored].map((name) => [name, assigned]))
      const strict = strictly({ ...converted })
      return [requestName(operation), { ...strict, properties: { ...strict.properties, ...ignored } }]
    }),
  )
}

const assigned = { readOnly: true, description: 'Assigned by the service; dropped when it is sent.' } as const

/** The schema of a body, or of an object within it: nothing unknown is taken. */
function strictly({ properties = {}, ...schema }: JsonSchema): JsonSchema {
  const checked = Object.entries(properties).map(([name, property]) => [name, withoutFormat(property)])
  return { ...schema, properties: Object.fromEntries(checked), additionalProperties: false }
}

/**
 * Leaves the pattern of a text alone to say its form. Clients that are made from a document write a `date-time` as their language
 * does, with `+00:00` for instance, which no pattern here takes.
 */
function withoutFormat(property: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof property !== 'object') return property
  if (property.properties !== undefined) return strictly(property)
  if (property.pattern === undefined) return property
  const { format: _, ...rest } = property
  return rest
}
