import { isUtf8 } from 'node:buffer'
import { type ObjectSchema, type Parsed, shortened, validationFailed } from '@auction/domain/parsing'
import { isIdempotencyKey, type RetryKey } from '@auction/domain/request-key'
import { accepted, type Result, refused } from '@auction/domain/result'
import type { Problem } from '@auction/host/responses'
import { headerCount } from '@auction/host/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasTooManyParts, maxJsonParts, parseExactJson } from './exact-json.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types of the bodies of the route. */
    readonly mediaTypes?: readonly string[] | undefined
  }
}

export const bodyLimitBytes = 64 * 1024

const mergePatchType = 'application/merge-patch+json'
export const csvType = 'text/csv'

/** What the parser of a body may need of its request. */
type RequestParts<Path> = {
  readonly arrivedAtMs: number
  /** The parameters of the path; undefined if they are invalid. */
  readonly path: Path | undefined
}

/** The body of an operation's requests. */
export type Body<Fields, Path> = {
  readonly schema: ObjectSchema
  readonly parse: (input: unknown, request: RequestParts<Path>) => Parsed<Fields>
  /** The names of fields that the server ignores. */
  readonly ignored: ReadonlySet<string>
  readonly maxBytes: number
  readonly mediaType: 'application/json' | typeof mergePatchType
  /** Describes in Markdown the CSV that the body may be instead. `parse` then accepts its bytes. */
  readonly csvFormat?: string
  /** Whether a missing body counts as an empty object. */
  readonly isOptional: boolean
  /** The schemas of bodies with the fields of one format each, by its name: those of `schema` are of all of them. */
  readonly formats?: Readonly<Record<string, ObjectSchema>>
}

export const jsonBody = <Fields, Path>(
  schema: ObjectSchema,
  parse: Body<Fields, Path>['parse'],
  {
    ignored = new Set(),
    maxBytes = bodyLimitBytes,
    ...formats
  }: Partial<Pick<Body<Fields, Path>, 'ignored' | 'maxBytes' | 'formats'>> = {},
): Body<Fields, Path> => ({
  ...{ schema, parse, ignored, maxBytes, mediaType: 'application/json', isOptional: false },
  ...formats,
})

export const optional = <Fields, Path>(body: Body<Fields, Path>): Body<Fields, Path> => ({ ...body, isOptional: true })

/** A merge patch (RFC 7396). */
export const mergePatch = <Fields, Path>(body: Body<Fields, Path>): Body<Fields, Path> => ({
  ...body,
  mediaType: mergePatchType,
})

export const mediaTypesOf = ({ mediaType, csvFormat }: Body<unknown, never>): readonly string[] =>
  csvFormat === undefined ? [mediaType] : [mediaType, csvType]

/** Accepts only JSON and CSV. The operation checks the media type of its route, and parses the bytes. */
export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const mediaTypes = ['application/json', mergePatchType, csvType]
  app.addContentTypeParser(mediaTypes, { parseAs: 'buffer' }, (_request, bytes: Buffer, done) => done(null, bytes))
}

/** Whether the body is longer than that of most operations may be. */
export const hasLongBody = ({ body }: FastifyRequest): boolean => Buffer.isBuffer(body) && body.length > bodyLimitBytes

/**
 * Returns the value of a JSON body or the bytes of a CSV body, or the problem. Invalid JSON is not thrown, because
 * Fastify would close the connection.
 */
export function readBody(
  request: FastifyRequest,
  { isOptional }: Pick<Body<unknown, never>, 'isOptional'>,
): Result<unknown, Problem> {
  // The parser above is the only one. Fastify does not call it for a request without a body and a content type.
  const bytes = request.body as Buffer | undefined
  const problem = bytes && mediaProblem(request)
  if (problem !== undefined) return refused(problem)
  if (bytes !== undefined && sentType(request) === csvType) return accepted(bytes)
  if (bytes === undefined || bytes.length === 0) return isOptional ? accepted({}) : empty
  return parseJsonBody(bytes)
}

/**
 * The problem of a body that is compressed, or has a media type that the parser accepts and the route does not, if any.
 */
function mediaProblem(request: FastifyRequest): Problem | undefined {
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding.toLowerCase() !== 'identity') {
    const message = 'The body is compressed; send it uncompressed, without Content-Encoding.'
    return { code: 'unsupported-media-type', message, headers: { 'accept-encoding': 'identity' } }
  }
  const supported = supportedTypes(request)
  // A proxy may have used another one than the first.
  if (headerCount(request.raw, 'content-type') > 1) {
    return unsupported(supported, `The request must have exactly one Content-Type header: ${supported.join(' or ')}.`)
  }
  return supported.includes(sentType(request)) ? undefined : otherMediaType(request)
}

export function otherMediaType(request: FastifyRequest): Problem {
  const supported = supportedTypes(request)
  const formats = supported.includes(csvType) ? 'JSON or CSV' : 'JSON'
  return unsupported(supported, `The body must be ${formats}; send it with Content-Type: ${supported.join(' or ')}.`)
}

const sentType = ({ headers }: FastifyRequest): string =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''

const supportedTypes = ({ routeOptions }: FastifyRequest): readonly string[] =>
  routeOptions.config.mediaTypes ?? ['application/json']

const unsupported = (supported: readonly string[], message: string): Problem => ({
  code: 'unsupported-media-type',
  message,
  // RFC 5789, section 3.1.
  headers: { [supported.includes(mergePatchType) ? 'accept-patch' : 'accept']: supported.join(', ') },
})

/** Parses JSON (RFC 8259) strictly: UTF-8 without a byte order mark, no repeated names, no inexact numbers. */
function parseJsonBody(bytes: Buffer): Result<unknown, Problem> {
  if (!isUtf8(bytes)) return malformed('is not UTF-8')
  const text = bytes.toString('utf8')
  if (text.startsWith('\uFEFF')) return malformed('starts with a byte order mark, which JSON does not allow')
  if (hasTooManyParts(text)) {
    return malformed(`has more than ${maxJsonParts} brackets, colons and commas outside its strings`)
  }
  try {
    const parsed = parseExactJson(text)
    if (parsed.ok) return parsed
    return malformed(`repeats the member name ${JSON.stringify(shortened(parsed.duplicateName))}`)
  } catch (error) {
    return malformed(syntaxErrorIn(error))
  }
}

function syntaxErrorIn(error: unknown): string {
  if (!(error instanceof SyntaxError)) throw error
  // Only the position comes from the engine's message, if it has one.
  const position = /\(line (\d+) column (\d+)\)/.exec(error.message)
  if (position !== null) return `is not valid JSON at line ${position[1]}, column ${position[2]}`
  return /end of JSON input/.test(error.message) ? 'is not valid JSON: it ends unexpectedly' : 'is not valid JSON'
}

const malformed = (error: string): Result<never, Problem> =>
  refused({ code: 'malformed-json', message: `The body ${error}. Send one JSON object in UTF-8.` })

const empty = malformed('is empty')

/** Reads the `Idempotency-Key` header. Node joins repeated headers with a space, which makes them invalid. */
export function parseRetryKey({ headers }: FastifyRequest, caller: string): Parsed<RetryKey | undefined> {
  const key = headers['idempotency-key']
  if (key === undefined) return accepted(undefined)
  if (typeof key === 'string' && isIdempotencyKey(key)) return accepted({ caller, key })
  const message = 'must be 1 to 255 visible ASCII characters'
  return refused(validationFailed({ pointer: '/Idempotency-Key', message }))
}
