import entityTag from 'etag'
import type { FastifyReply, FastifyRequest } from 'fastify'
import isFresh from 'fresh'

/** A body with its entity tag and headers. */
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

/**
 * Whether `If-None-Match` contains the tag (RFC 9110, section 13.1.2). `Cache-Control: no-cache`, which fetch also sends, is for
 * caches between client and server and is ignored.
 */
export const namesTag = ({ headers }: FastifyRequest, tag: string): boolean =>
  isFresh({ 'if-none-match': headers['if-none-match'] }, { etag: tag })

/** Sends a body with its entity tag, or 304 if the request contains that tag. The body depends on the request header `vary`. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, tag, headers }: Tagged,
  vary: string,
): FastifyReply {
  const others = reply.getHeader('vary')
  reply.headers({ ...headers, vary: others === undefined ? vary : `${others}, ${vary}`, etag: tag })
  if (namesTag(request, tag)) return reply.removeHeader('content-type').code(304).send()
  return reply.send(body)
}
