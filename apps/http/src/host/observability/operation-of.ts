import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the route's operation, for metrics and traces. */
    readonly operation?: string
  }
}

/** The common name of requests without an operation, for any path and method. */
export const unknownOperation = 'unknown'

/** The name of a request's operation. The routes limit the number of names: clients cannot create new ones. */
export function operationOf(request: FastifyRequest): string {
  if (request.is404) return unknownOperation
  const { config, method, url } = request.routeOptions
  if (config.operation !== undefined) return config.operation
  // Only the route that refuses other methods has several.
  if (typeof method !== 'string' || url === undefined) return unknownOperation
  return `${method} ${url.replaceAll(/\(.*?\)/g, '')}`
}
