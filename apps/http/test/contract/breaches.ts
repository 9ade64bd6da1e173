import type { Reference, ResponseObject } from '../../src/api/openapi/openapi.ts'
import { document, operationOf, problemSchemas, resolved } from './document.ts'
import { responseCheck } from './schema-check.ts'

/** The parts of a request that decide the possible responses, and its response. */
export type Exchange = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The ways in which a response violates the OpenAPI document; empty if it conforms. */
export function breachesOf(exchange: Exchange): readonly string[] {
  const { method, path, status } = exchange
  if (besideTheApi.test(path)) return []
  const asked = operationOf(method, path)
  if (asked !== undefined) {
    const declared = asked.operation.responses[status]
    if (declared === undefined) return [`${asked.operation.operationId} responses no ${status}`]
    return responseBreaches(resolved(declared, 'responses'), exchange)
  }
  if (method === 'OPTIONS' && status === 204) return responseBreaches(optionsResponse, exchange)
  const declared = withoutOperation(status)
  return declared === undefined ? [`${status} is for operations only`] : responseBreaches(declared, exchange)
}

/** What a server reports about itself, not about auctions, and the files of its pages. */
const besideTheApi = /^\/(|(open|async)api\.json|docs|docs\/[^?]*|(page|node_modules)\/[^?]*\.\w+)(\?|$)/i

/** The response to OPTIONS, which is not an operation of the document. */
const optionsResponse: ResponseObject = {
  description: 'The methods of the path.',
  headers: {
    'X-Request-Id': { description: '', required: true, schema: { type: 'string' } },
    Allow: { description: '', required: true, schema: { type: 'string' } },
    'Accept-Patch': { description: '', schema: { type: 'string' } },
  },
}

/** Responses to requests for no operation: another path or method, invalid HTTP, or a server that cannot respond. */
function withoutOperation(status: number): ResponseObject | undefined {
  const { NotFoundOrMethodNotAllowed: ofNone } = document.components.responses
  if (ofNone === undefined || status === 404 || status === 405) return ofNone
  if (![400, 408, 431, 500, 503].includes(status)) return undefined
  const headers = { ...ofNone.headers, 'Retry-After': { description: '', schema: { type: 'integer' } } } as const
  return { ...ofNone, headers, content: { 'application/problem+json': problemsOf(status) } }
}

/** The ways in which a failure violates the document, for any request. */
export function problemBreaches({
  status,
  headers,
  text,
}: Pick<Exchange, 'status' | 'headers' | 'text'>): readonly string[] {
  const schemas = problemSchemas(status)
  if (schemas.length === 0) return [`no problem has the status ${status}`]
  const missing = headers.has('x-request-id') ? [] : ['the header x-request-id is missing']
  return [...missing, ...responseCheck(problemsOf(status).schema)(JSON.parse(text))]
}

/** The schema of a failure with a status, whose check is compiled once. */
function problemsOf(status: number) {
  const known = problemsByStatus.get(status)
  const problems = known ?? { schema: { anyOf: problemSchemas(status) }, examples: {} }
  problemsByStatus.set(status, problems)
  return problems
}

const problemsByStatus = new Map<number, { schema: { anyOf: Reference[] }; examples: Record<string, never> }>()

const responseBreaches = (response: ResponseObject, exchange: Exchange): readonly string[] => [
  ...headerBreaches(response, exchange.headers),
  ...bodyBreaches(response, exchange),
]

function headerBreaches(response: ResponseObject, headers: Headers): readonly string[] {
  const declared = new Map(
    Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), resolved(header, 'headers')]),
  )
  const missing = [...declared].filter(([name, { required }]) => required === true && !headers.has(name))
  const undeclared = [...headers.keys()].filter((name) => !declared.has(name) && !ofHttp.test(name))
  const wrong = [...declared].filter(
    ([name, { schema }]) => schema.type === 'integer' && headers.has(name) && !/^\d+$/.test(headers.get(name) ?? ''),
  )
  return [
    ...missing.map(([name]) => `the header ${name} is missing`),
    ...undeclared.map((name) => `the header ${name} is not declared`),
    ...wrong.map(([name]) => `the header ${name} is not a number`),
  ]
}

// Headers of any response that HTTP, caches, proxies and browsers need.
const ofHttp =
  /^(cache-control|connection|content-(length|type)|date|keep-alive|transfer-encoding|vary|x-accel-buffering|x-content-type-options|access-control-.+)$/

function bodyBreaches({ content }: ResponseObject, { method, headers, text }: Exchange): readonly string[] {
  if (content === undefined) return text === '' ? [] : ['there is a body, and none is declared']
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';')
  const declared = content[mediaType]
  if (declared === undefined) return [`the content type ${mediaType} is not declared`]
  if (method === 'HEAD') return text === '' ? [] : ['the response to HEAD has a body']
  // A test that asks for CSV reads its columns.
  if (mediaType === 'text/csv') return []
  try {
    return responseCheck(declared.schema)(JSON.parse(text))
  } catch (error) {
    return [`the body is not JSON: ${String(error)}`]
  }
}
