import type { FastifyRequest } from 'fastify'

/** What is counted together: requests that no operation is for, whatever their path and method. */
export const unknownOperation = 'unknown'

/**
 * The name of the operation that a request asks for. There are as many as there are routes: nothing that a client chooses
 * makes one.
 */
export function operationOf(request: FastifyRequest): string {
  if (request.is404) return unknownOperation
  const { config, method, url } = request.routeOptions
  const { operation } = (config ?? {}) as { readonly operation?: unknown } // Routes may name their operation.
  if (typeof operation === 'string') return operation
  // A route for many methods is the one that refuses them.
  if (typeof method !== 'string' || url === undefined) return unknownOperation
  return `${method} ${url.replaceAll(/\(.*?\)/g, '')}`
}
