import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the route's operation, for metrics and traces. */
    readonly operation?: string
  }
}

/** The common name of requests that no route serves, for any path and method. */
const unknownOperation = 'unknown'

/** The name of a request's operation. The number of names is limited: clients cannot create new ones. */
export const operationOf = ({ method, routeOptions }: FastifyRequest): string =>
  method === 'OPTIONS' ? 'options' : (routeOptions.config.operation ?? unknownOperation)
