import entityTag from 'etag'
import type { FastifyReply, FastifyRequest } from 'fastify'
import isFresh from 'fresh'

/** Sends a body with its entity tag, or 304 to whoever names that tag (RFC 9110, section 13.1.2). */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  const tag = entityTag(body)
  reply.headers(headers).header('etag', tag)
  // That header alone: what fetch sends beside it, `Cache-Control: no-cache`, is for caches on the way.
  const { 'if-none-match': seen } = request.headers
  if (isFresh({ 'if-none-match': seen }, { etag: tag })) return reply.removeHeader('content-type').code(304).send()
  reply.send(body)
  reply.server.unreadAnswers.note(reply)
  return reply
}
