import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import { csvType } from '../requests/json-body.ts'
import { clientCode, type ProblemCode, problemType } from '../responses/refusals.ts'
import { responsesWith } from './examples.ts'
import { capitalized, refTo, successName } from './names.ts'
import type { LinkObject, OperationObject, Reference, ResponseObject } from './openapi.ts'
import { headersOf, problemSchemaName, problemsOf } from './problems.ts'

export function responsesOf(operation: Operation): OperationObject['responses'] {
  return {
    [successStatus(operation)]: successResponse(operation),
    ...(operation.schemas.isTagged && operation.route.method === 'GET' && { 304: notModified }),
    ...(isResumable(operation) && { 204: noEventFollows }),
    ...Object.fromEntries(
      statusesOf(operation).map(([status, codes]) => [
        status,
        isShared(operation, status, codes) ? refTo('responses', nameOf(codes)) : problemResponse(codes, operation),
      ]),
    ),
    default: refTo('responses', nameOf(ofNoOperation)),
  }
}

/** A POST creates a resource, unless it repairs one. A PUT returns 200, whether it creates or replaces. */
const successStatus = ({ route }: Operation): 200 | 201 =>
  route.method === 'POST' && route.isRepair !== true ? 201 : 200

/** Whether a stream continues after the position of the client. */
const isResumable = ({ schemas }: Operation): boolean => schemas.header?.name === 'Last-Event-ID'

/** The responses that several operations share, by name. */
export function sharedResponses(operations: readonly Operation[]): Readonly<Record<string, ResponseObject>> {
  const shared = operations.flatMap((operation) =>
    statusesOf(operation).flatMap(([status, codes]) => (isShared(operation, status, codes) ? [codes] : [])),
  )
  return Object.fromEntries([...shared, ofNoOperation].map((codes) => [nameOf(codes), problemResponse(codes)]))
}

/** The problems for unknown paths and for unsupported methods. */
const ofNoOperation: readonly ProblemCode[] = ['not-found', 'method-not-allowed']

const statusesOf = (operation: Operation): readonly (readonly [number, readonly ProblemCode[]])[] => [
  ...Map.groupBy(problemsOf(operation), (code) => problemType(code).status),
]

/** Whether the operation has neither a refusal description nor an example for this status. */
const isShared = (operation: Operation, status: number, codes: readonly ProblemCode[]): boolean =>
  !codes.some((code) => code in operation.refusals) && Object.keys(responsesWith(operation, [status])).length === 0

const nameOf = (codes: readonly ProblemCode[]): string => codes.map(capitalized).join('Or')

// The rate limit counts all requests of a caller, except those refused before authentication.
const rateLimit = ['RateLimit', 'RateLimit-Policy']
const uncounted: readonly number[] = [408, 431]

const rateLimitOf = ({ route }: Operation): readonly string[] => (route.permissions === undefined ? [] : rateLimit)

function successResponse(operation: Operation): ResponseObject {
  const { method } = operation.route
  const { isTagged, stream, csv } = operation.schemas
  const status = successStatus(operation)
  const special = [
    ...(status === 201 ? ['Location'] : []),
    ...(method === 'GET' ? [] : ['Idempotency-Replayed']),
    ...(isTagged ? ['ETag'] : []),
    ...(csv === undefined ? [] : ['Content-Disposition']),
  ]
  return {
    description: operation.docs.success,
    headers: headerRefs([...rateLimitOf(operation), ...special]),
    content: {
      'application/json': {
        schema: refTo('schemas', successName(operation)),
        examples: responsesWith(operation, [status]),
      },
      ...(stream !== undefined && { 'text/event-stream': { schema: { type: 'string', description: stream } } }),
      ...(csv !== undefined && { [csvType]: { schema: { type: 'string', description: csv } } }),
    },
    ...linksMember(operation),
  }
}

const notModified: ResponseObject = {
  description: 'The cached response is current.',
  headers: headerRefs([...rateLimit, 'ETag']),
}

const noEventFollows: ResponseObject = {
  description: 'For a stream: the auction is over, and no event follows the position of the client.',
  headers: headerRefs(rateLimit),
}

function problemResponse(codes: readonly ProblemCode[], operation?: Operation): ResponseObject {
  const refusals: Readonly<Partial<Record<string, string>>> = operation?.refusals ?? {}
  const whens = codes.map((code) => `- \`${clientCode(code)}\`: ${refusals[code] ?? problemType(code).when}`)
  const statuses = codes.map((code) => problemType(code).status)
  const isUncounted = statuses.some((status) => uncounted.includes(status))
  const counted = isUncounted ? [] : operation === undefined ? rateLimit : rateLimitOf(operation)
  return {
    description: whens.join('\n'),
    headers: headerRefs([...counted, ...headersOf(codes)]),
    content: {
      'application/problem+json': {
        schema: schemaOf(codes),
        examples: operation === undefined ? {} : responsesWith(operation, statuses),
      },
    },
  }
}

function schemaOf(codes: readonly ProblemCode[]) {
  const schemas = codes.map((code) => [clientCode(code), refTo('schemas', problemSchemaName(code))] as const)
  const [[, only] = []] = schemas
  if (schemas.length === 1 && only !== undefined) return only
  const mapping = Object.fromEntries(schemas.map(([code, { $ref }]) => [code, $ref]))
  return { oneOf: schemas.map(([, ref]) => ref), discriminator: { propertyName: 'code', mapping } }
}

function headerRefs(names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, refTo('headers', name)]))
}

type Links = NonNullable<ResponseObject['links']>

function linksMember(operation: Operation): { readonly links?: Links } {
  const links = { ...linksToData(operation), ...linkToNextPage(operation) }
  return Object.keys(links).length === 0 ? {} : { links }
}

const dataHas = ({ schemas: { data } }: Operation, name: string): boolean =>
  'entries' in data && name in Object(data.entries)

/**
 * The links from an auction or a bid to the operations that take its id: from a new auction and a read to all of them,
 * from a change of an auction to the reads, which show its effect.
 */
function linksToData(operation: Operation): Links {
  if (!dataHas(operation, 'id')) return {}
  const isOfAuction = idTakenBy(operation) !== undefined || dataHas(operation, 'auctionId')
  const isChange = operation.route.method !== 'GET' && isOfAuction
  const targets = operations.filter((target) => target !== operation && (!isChange || target.route.method === 'GET'))
  return Object.fromEntries(
    targets.flatMap((target) => {
      const link = linkOf(operation, target)
      return link === undefined ? [] : [[target.route.name, link]]
    }),
  )
}

/** The members of pages that are a parameter of the next page. */
const nextParameters = { nextCursor: 'cursor', position: 'after' } as const

/** The link from a page to the next one, with the same parameters. */
function linkToNextPage(operation: Operation): Links {
  const { route, schemas } = operation
  const [member, name] = Object.entries(nextParameters).find(([part]) => dataHas(operation, part)) ?? []
  if (member === undefined || name === undefined) return {}
  const inPath = Object.keys(schemas.parameters?.entries ?? {}).map((part) => [part, `$request.path.${part}`])
  const inQuery = Object.keys(schemas.query?.entries ?? {}).map((part) => [part, `$request.query.${part}`])
  const parameters = { ...Object.fromEntries([...inPath, ...inQuery]), [name]: `$response.body#/data/${member}` }
  return { nextPage: { operationId: route.name, parameters } }
}

/**
 * The kind of resource whose id an operation takes in its path, if it takes one. A link cannot fill a part of a body:
 * its `requestBody` is one value or one expression.
 */
const idTakenBy = ({ route }: Operation): string | undefined => /^\/api\/(\w+)\/\{id\}/.exec(route.path)?.[1]

function linkOf(operation: Operation, target: Operation): LinkObject | undefined {
  const taken = idTakenBy(target)
  // A bid has the id of its auction, and not the other way round.
  const [, other] = /^\/api\/(Registers|Sales)/.exec(operation.route.path) ?? []
  const kind = dataHas(operation, 'auctionId') ? 'Bids' : (other ?? 'Auctions')
  if (taken !== kind && !(taken === 'Auctions' && kind === 'Bids')) return undefined
  const expression = `$response.body#/data/${taken === kind ? 'id' : 'auctionId'}`
  return { operationId: target.route.name, parameters: { id: expression } }
}
