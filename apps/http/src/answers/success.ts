import type { FastifyReply } from 'fastify'
import { commonHeaders } from './common-headers.ts'

/** What comes with a success: its data is a resource, or a page of resources. */
export type Success = {
  readonly message: string
  readonly data: object
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
