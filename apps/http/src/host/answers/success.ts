import type { FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders } from './problem.ts'
import { sendTagged, tagged } from './tagged.ts'

/** A successful result. Its data is a resource or a page of resources. */
export type Success<Data = object> = {
  readonly message: string
  readonly data: Data
  /** The URL of the created resource. */
  readonly location?: string
}

/** The success envelope of the specification's section 2.1. */
const bodyOf = ({ message, data }: Success): string => JSON.stringify({ success: true, message, data })

const successHeaders = { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' }

export function sendSuccess(reply: FastifyReply, success: Success): FastifyReply {
  if (success.location !== undefined) reply.code(201).header('location', success.location)
  return reply.headers(successHeaders).send(bodyOf(success))
}

// The caller may cache the response, but must revalidate it each time (RFC 9111, section 5.2.2.4).
const taggedHeaders = { ...successHeaders, 'cache-control': 'private, no-cache' }

/** Sends a resource, or 304 if the caller has the current version. */
export function sendRead(request: FastifyRequest, reply: FastifyReply, success: Success): FastifyReply {
  return sendTagged(request, reply, tagged(bodyOf(success), taggedHeaders), 'Authorization')
}
