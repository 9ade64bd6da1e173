import { isUtf8 } from 'node:buffer'
import { type ObjectSchema, shortened } from '@auction/domain/validation'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import { parseExactJson } from './exact-json.ts'
import { isRepeated } from './repeated-header.ts'

export const bodyLimitBytes = 64 * 1024

/** What an operation says of the body that it takes. */
export type BodyForm = { readonly schema: ObjectSchema; readonly isOptional?: boolean }

/** A parsed body, or why there is none. Bad JSON is a value, not an error, which would cost the client its connection. */
export type JsonBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem }

/** Takes `application/json` alone. The bytes are parsed when an operation reads them, by its schema. */
export function addJsonBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes: Buffer, done) => {
    done(null, bytes)
  })
}

/** Parses the body of a request. One that is optional is an empty object where it is left out. */
export function jsonBodyOf(request: FastifyRequest, body: BodyForm): JsonBody {
  // The parser above is the only one. Without a body and a content type, Fastify calls none.
  const bytes = request.body as Buffer | undefined
  const problem = bytes && mediaProblem(request)
  if (problem !== undefined) return { ok: false, problem }
  if (bytes === undefined || bytes.length === 0) return body.isOptional ? { ok: true, value: {} } : empty
  return parseJsonBody(bytes, body.schema)
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
function parseJsonBody(bytes: Buffer, schema: ObjectSchema): JsonBody {
  if (!isUtf8(bytes)) return malformed('is not UTF-8')
  const text = bytes.toString('utf8')
  if (text.startsWith('\uFEFF')) return malformed('begins with a byte order mark, which JSON does not have')
  try {
    const parsed = parseExactJson(text, schema)
    if (parsed.ok) return parsed
    return malformed(`is ambiguous: it names ${JSON.stringify(shortened(parsed.duplicateName))} more than once`)
  } catch (error) {
    return malformed(whatIsWrong(error))
  }
}

function whatIsWrong(error: unknown): string {
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
