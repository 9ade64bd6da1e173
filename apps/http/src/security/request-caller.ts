import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from './callers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on a request whose token is valid. */
    caller: Caller | undefined
  }
}

export const addCallerToRequests = (app: FastifyInstance): FastifyInstance => app.decorateRequest('caller', undefined)

/** The caller of a request that was admitted; there is none without. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === undefined) throw new Error('the caller was asked for on a route that admits without one')
  return caller
}
