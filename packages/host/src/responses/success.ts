import { Readable } from 'node:stream'
import { etag as entityTag } from 'etag'
import type { FastifyReply, FastifyRequest } from 'fastify'
import isFresh from 'fresh'
import { commonHeaders } from './problem.ts'

/** A successful result. Its data is a resource or a page of resources. */
export type Success<Data = object> = {
  readonly message: string
  readonly data: Data
  /** The time of the server before it read the data; only reads have it. */
  readonly now?: string
  /** The entity tag of a read, if the response to a change has more than that. */
  readonly tag?: string
  /** The URL of the created resource. */
  readonly location?: string
  /** Whether an earlier request with the same `Idempotency-Key` created the resource. */
  readonly isRepeated?: boolean | undefined
}

/** The success envelope of the specification's section 2.1. */
const bodyOf = ({ message, data }: Success): string => JSON.stringify({ success: true, message, data })

/** Appends `now` to the text, because the entity tag covers only the rest. */
const withNow = (body: string, { now }: Success): string =>
  now === undefined ? body : `${body.slice(0, -1)},"now":"${now}"}`

const successHeaders = { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' }

export function sendSuccess(reply: FastifyReply, success: Success): FastifyReply {
  if (success.location !== undefined) reply.code(201).header('location', success.location)
  if (success.isRepeated) reply.header('idempotency-replayed', 'true')
  return reply.headers(successHeaders).send(withNow(bodyOf(success), success))
}

const readHeaders = {
  // The caller may cache the response, but must revalidate it each time (RFC 9111, section 5.2.2.4).
  private: { ...successHeaders, 'cache-control': 'private, no-cache' },
  // Shared caches may serve it for a second.
  public: { ...successHeaders, 'cache-control': 'public, max-age=1' },
}

/**
 * Sends what was read, or 304 if the client has the current version. The entity tag does not cover `now`, which always
 * changes.
 */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  success: Success,
  audience: keyof typeof readHeaders,
): FastifyReply {
  const body = bodyOf(success)
  const read = { ...tagged(body, readHeaders[audience]), body: withNow(body, success) }
  return sendTagged(request, reply, read, 'Authorization')
}

export const tagOf = (success: Success): string => entityTag(bodyOf(success))

export type Tagged = {
  readonly body: string | Buffer
  readonly tag: string
  readonly headers: Readonly<Record<string, string>>
}

export const tagged = (body: string | Buffer, headers: Tagged['headers']): Tagged => ({
  body,
  tag: entityTag(body),
  headers,
})

/** RFC 9110, section 13.1.2. `Cache-Control: no-cache`, which fetch also sends, is for caches and is ignored. */
const namesTag = ({ headers }: FastifyRequest, tag: string): boolean =>
  isFresh({ 'if-none-match': headers['if-none-match'] }, { etag: tag })

/**
 * Sends a body with its entity tag, or 304 if the request contains that tag. The body depends on the request header
 * `vary`.
 */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, tag, headers }: Tagged,
  vary: string,
): FastifyReply {
  addVary(reply, vary).headers({ ...headers, etag: tag })
  if (namesTag(request, tag)) return reply.removeHeader('content-type').code(304).send()
  return reply.send(body)
}

/** Adds a request header to those on which the response depends. */
export function addVary(reply: FastifyReply, vary: string): FastifyReply {
  const others = reply.getHeader('vary')
  return reply.header('vary', others === undefined ? vary : `${others}, ${vary}`)
}

/** Whether a request names a media type in its `Accept`. */
export const asksFor = ({ headers: { accept = '' } }: FastifyRequest, mediaType: string): boolean =>
  accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

/**
 * Sends a CSV file, each part when the client has read the one before. If a part cannot be read, the response is cut,
 * so that no client takes the parts before it for the whole.
 */
export function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  fileName: string,
  parts: AsyncIterable<string>,
): FastifyReply {
  const disposition = `attachment; filename="${fileName}"`
  reply.headers({ ...commonHeaders, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition })
  if (request.method === 'HEAD') return reply.send()
  const rows = Readable.from(parts)
  // Before the first byte, Fastify calls the error handler itself.
  rows.once('error', (error) => reply.raw.headersSent && reply.server.errorHandler(error, request, reply))
  return reply.send(rows)
}
