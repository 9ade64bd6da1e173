import type { FastifyRequest } from 'fastify'
import type { Problem } from '../../host/answers/problem.ts'

/** The media types of request bodies, all of which are JSON. */
export const mediaTypes = ['application/json', 'application/merge-patch+json'] as const
export type MediaType = (typeof mediaTypes)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media type of the bodies of the route; by default `application/json`. */
    readonly mediaType?: MediaType | undefined
  }
}

type Route = Pick<FastifyRequest, 'routeOptions'>

const mediaTypeOf = ({ routeOptions }: Route): MediaType => routeOptions.config.mediaType ?? 'application/json'

export function otherMediaType(route: Route): Problem {
  const mediaType = mediaTypeOf(route)
  return unsupported(route, `The body must be JSON; send it with Content-Type: ${mediaType}.`)
}

/** The problem of a body whose media type the parser accepts and the route does not, if any. */
export function mediaTypeProblem(request: FastifyRequest): Problem | undefined {
  // Node's `headers` keeps only the first of several, but a proxy may have used another one.
  const [given = '', ...more] = request.raw.headersDistinct['content-type'] ?? []
  const mediaType = mediaTypeOf(request)
  if (more.length > 0) {
    return unsupported(request, `The request must have exactly one Content-Type header: ${mediaType}.`)
  }
  const [essence = ''] = given.split(';')
  return essence.trim().toLowerCase() === mediaType ? undefined : otherMediaType(request)
}

function unsupported(route: Route, message: string): Problem {
  const mediaType = mediaTypeOf(route)
  // RFC 5789, section 3.1.
  const headers = mediaType === 'application/json' ? { accept: mediaType } : { 'accept-patch': mediaType }
  return { code: 'unsupported-media-type', message, headers }
}
