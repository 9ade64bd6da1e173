import * as v from 'valibot'
import { FaultResource, type ProblemCode, problemCodes, problemType } from '../answers/problem-types.ts'
import {
  AuctionListItem,
  AuctionResource,
  AuctionViewResource,
  BidResource,
  ResultResource,
} from '../answers/resources.ts'
import type { Example } from '../operations/example.ts'
import type { ObjectSchema, Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import { headers, parameters as sharedParameters } from './headers.ts'
import { headersOf, problemSchema, problemSchemaName, problemsOf } from './problems.ts'
import { jsonSchemaOf, type NamedSchemas, namedJsonSchemas } from './schemas.ts'

type Json = Readonly<Record<string, unknown>>

/** The OpenAPI 3.1 document of the service. It follows from the table of operations. */
export function createOpenApiDocument(version: string): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Auction service',
      version,
      summary: 'Create auctions, place bids, and read both.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The maintainers of the auction service' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Auctions', description: 'What is sold, from when until when, and for how much.' },
      { name: 'Bids', description: 'What is offered.' },
      { name: 'Health', description: 'Whether the server runs, and takes requests. No token is needed.' },
    ],
    paths: pathsOf(operations),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      parameters: sharedParameters,
      headers,
      schemas: { ...namedJsonSchemas(named), ...requestSchemas() },
    },
  }
}

const introduction = `Every answer is one envelope: \`success\`, \`message\`, and \`data\` where it succeeded. A failure is a problem of RFC 9457 in the same
envelope, whose \`code\` is for programs. Paths match whatever their letter case. Every path also takes \`OPTIONS\`, and \`HEAD\` where it takes \`GET\`.`

const capitalized = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
const successName = ({ name }: Operation): string => `${capitalized(name)}Success`

const resources: NamedSchemas = {
  Auction: AuctionResource,
  AuctionView: AuctionViewResource,
  AuctionListItem,
  AuctionResult: ResultResource,
  Bid: BidResource,
  Fault: FaultResource,
}

const named: NamedSchemas = {
  ...resources,
  ...Object.fromEntries(operations.map((operation) => [successName(operation), envelopeOf(operation)])),
  ...Object.fromEntries(problemCodes.map((code) => [problemSchemaName(code), problemSchema(code)])),
}

function envelopeOf({ success }: Operation): ObjectSchema {
  return v.object({
    success: v.literal(true),
    message: v.pipe(v.string(), v.description('For people.')),
    data: success.data,
  })
}

const bodyName = (operation: Operation): string => `${capitalized(operation.name)}Request`

/** What bodies must be: nothing unknown is taken, and what the service assigns is dropped. */
function requestSchemas(): Json {
  const withBody = operations.flatMap((operation) => (operation.body ? [{ operation, body: operation.body }] : []))
  const ofBodies = namedJsonSchemas(
    Object.fromEntries(withBody.map(({ operation, body }) => [bodyName(operation), body.schema])),
  )
  return Object.fromEntries(
    withBody.map(({ operation, body }) => {
      const converted = ofBodies[bodyName(operation)]
      const dropped = { readOnly: true, description: 'Assigned by the service; dropped when it is sent.' }
      const ignored = Object.fromEntries([...body.ignored].map((name) => [name, dropped]))
      const properties = { ...converted?.properties, ...ignored }
      return [bodyName(operation), { ...converted, properties, additionalProperties: false }]
    }),
  )
}

function pathsOf(table: readonly Operation[]): Json {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of table) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: operationObject(operation) }
  }
  return paths
}

function operationObject(operation: Operation): Json {
  const { name, tag, summary, description, permission, body, success, examples } = operation
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: permission === undefined ? description : `${description}\n\nPermission: \`${permission}\`.`,
    ...(permission === undefined && { security: [] }),
    parameters: parametersOf(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${bodyName(operation)}` },
            examples: namedExamples(examples, ({ request }) => request.body),
          },
        },
      },
    }),
    responses: {
      [success.status]: successResponse(operation),
      ...(success.tagged && { 304: { description: 'It is as `If-None-Match` says.', headers: headerRefs(['ETag']) } }),
      ...problemResponses(operation),
      default: problemResponse(operation, ['not-found', 'method-not-allowed']),
    },
  }
}

function parametersOf({ parameters = {}, query, body, success }: Operation): readonly Json[] {
  const inPath = Object.entries(parameters).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: jsonSchemaOf(schema as v.GenericSchema, resources),
  }))
  const inQuery = Object.entries(query?.entries ?? {}).map(([name, schema]) => {
    const { description, ...rest } = jsonSchemaOf(schema as v.GenericSchema, resources)
    return { name, in: 'query', required: false, description, schema: rest }
  })
  const shared = [
    ...(body ? ['IdempotencyKey'] : []),
    ...(success.tagged ? ['IfNoneMatch'] : []),
    'RequestId',
    'TraceParent',
  ]
  return [...inPath, ...inQuery, ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
}

function successResponse(operation: Operation): Json {
  const { success, method, permission, examples } = operation
  const special = [...(method === 'POST' ? ['Location'] : []), ...(success.tagged ? ['ETag'] : [])]
  return {
    description: success.description,
    headers: headerRefs([...(permission === undefined ? [] : ['RateLimit', 'RateLimit-Policy']), ...special]),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${successName(operation)}` },
        examples: namedExamples(examples, ({ answer }) => (answer.status === success.status ? answer.body : undefined)),
      },
    },
  }
}

function problemResponses(operation: Operation): Json {
  const byStatus = Map.groupBy(problemsOf(operation), (code) => problemType(code).status)
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, problemResponse(operation, codes)]))
}

function problemResponse({ refusals, examples }: Operation, codes: readonly ProblemCode[]): Json {
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${problemSchemaName(code)}` }))
  const whens = codes.map(
    (code) =>
      `- \`${problemType(code).code ?? code}\`: ${(refusals as Partial<Record<string, string>>)[code] ?? problemType(code).when}`,
  )
  const [status] = codes.map((code) => problemType(code).status)
  return {
    description: whens.join('\n'),
    headers: headerRefs(headersOf(codes)),
    content: {
      'application/problem+json': {
        schema: refs.length === 1 ? refs[0] : { oneOf: refs },
        examples: namedExamples(examples, ({ answer }) => (answer.status === status ? answer.body : undefined)),
      },
    },
  }
}

/** Examples by the names under which they stand in the document, those that have the part that is asked for. */
function namedExamples(examples: readonly Example[], part: (example: Example) => object | undefined): Json {
  return Object.fromEntries(
    examples.flatMap((example) => {
      const value = part(example)
      return value === undefined ? [] : [[nameOf(example), { summary: example.summary, value }]]
    }),
  )
}

const nameOf = ({ summary }: Example): string => summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
