import entityTag from 'etag'
import type { FastifyReply, FastifyRequest } from 'fastify'
import isFresh from 'fresh'
import { commonHeaders } from './common-headers.ts'

/** What comes with a success: its data is a resource, or a page of resources. */
export type Success<Data = object> = {
  readonly message: string
  readonly data: Data
  /** The address of the resource that was created. */
  readonly location?: string
}

const successHeaders = { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' }

/** Sends the success envelope of the specification's section 2.1. */
export function sendSuccess(reply: FastifyReply, { message, data, location }: Success): FastifyReply {
  if (location !== undefined) reply.code(201).header('location', location)
  reply.headers(successHeaders).send(JSON.stringify({ success: true, message, data }))
  reply.server.unreadAnswers.note(reply)
  return reply
}

// The caller itself may keep the answer, if it asks each time whether that still holds (RFC 9111, section 5.2.2.4).
const taggedHeaders = { ...successHeaders, 'cache-control': 'private, no-cache' }

/** Sends a success with its entity tag, or 304 to whoever names that tag (RFC 9110, section 13.1.2). */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, { message, data }: Success): FastifyReply {
  const body = JSON.stringify({ success: true, message, data })
  const tag = entityTag(body)
  const vary = reply.getHeader('vary')
  const varies = vary === undefined ? 'Authorization' : `${vary}, Authorization`
  reply.headers(taggedHeaders).header('etag', tag).header('vary', varies)
  if (isFresh(request.headers, { etag: tag })) {
    reply.removeHeader('content-type')
    return reply.code(304).send()
  }
  reply.send(body)
  reply.server.unreadAnswers.note(reply)
  return reply
}
