import { isUtf8 } from 'node:buffer'
import { isPlainObject, shortened } from '@auction/domain/validation'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import { parseExactJson } from './exact-numbers.ts'
import { duplicateMember } from './member-names.ts'
import { isRepeated } from './repeated-header.ts'

export const bodyLimitBytes = 64 * 1024

/** A parsed body, or why there is none. Bad JSON is a value, not an error, which would cost the client its connection. */
export type JsonBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem }

/** Makes `application/json` in UTF-8 the one body that the server reads. */
export function addJsonBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const problem = mediaProblem(request)
    done(null, problem === undefined ? parseJsonBody(bytes) : { ok: false, problem })
  })
}

/** What the parser above made of the request's body. Where it may be left out, none is an empty object. */
export function jsonBodyOf(request: FastifyRequest, isOptional = false): JsonBody {
  // The parser is the only one there is; without a body and a content type, Fastify asks none.
  const body = (request.body as JsonBody | undefined) ?? empty
  return isOptional && body === empty ? { ok: true, value: {} } : body
}

const compressed: Problem = {
  code: 'unsupported-media-type',
  message: 'The body is compressed; send it as it is, without Content-Encoding.',
  headers: { 'accept-encoding': 'identity' },
}

const twoTypes: Problem = {
  code: 'unsupported-media-type',
  message: 'There must be one header Content-Type, which is application/json.',
  headers: { accept: 'application/json' },
}

function mediaProblem({ headers, raw }: FastifyRequest): Problem | undefined {
  const { 'content-encoding': encoding } = headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return compressed
  return isRepeated(raw.rawHeaders, 'content-type') ? twoTypes : undefined
}

/** Parses JSON as RFC 8259 has it between systems: UTF-8, no byte order mark, no name twice, no number that changes. */
function parseJsonBody(bytes: Buffer): JsonBody {
  if (bytes.length === 0) return empty
  if (!isUtf8(bytes)) return malformed('is not UTF-8')
  const text = bytes.toString('utf8')
  if (text.startsWith('\uFEFF')) return malformed('begins with a byte order mark, which JSON does not have')
  try {
    const value = parseExactJson(text)
    const duplicate = isPlainObject(value) ? duplicateMember(text, value) : undefined
    if (duplicate === undefined) return { ok: true, value }
    return malformed(`is ambiguous: it names ${JSON.stringify(shortened(duplicate))} more than once`)
  } catch (error) {
    return malformed(whatIsWrong(error))
  }
}

function whatIsWrong(error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply'
  if (!(error instanceof SyntaxError)) throw error
  // Only the place is taken over from the engine's message, and only where it gives one.
  const place = /\(line (\d+) column (\d+)\)/.exec(error.message)
  if (place !== null) return `is not JSON: it goes wrong in line ${place[1]}, at character ${place[2]}`
  return /end of JSON input/.test(error.message) ? 'is not JSON: it ends too early' : 'is not JSON'
}

const malformed = (fault: string): JsonBody => ({
  ok: false,
  problem: { code: 'malformed-json', message: `The body ${fault}. Send one JSON object, in UTF-8.` },
})

const empty = malformed('is empty')
