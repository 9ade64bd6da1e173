import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The data of the caller in the claims of its token. The API declares here what it reads in addition to permissions. */
export interface CallerClaims {
  readonly permissions: ReadonlySet<string>
}

/** The sender of a request, as identified by a valid token. */
export type Caller = CallerClaims & {
  /** Equal for all tokens of one subject of one issuer. A token without a subject is a separate caller. */
  readonly key: string
  /** The key in the form that is stored with what the caller creates: a hash, which does not identify a person. */
  readonly storedAs: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on a request whose token is valid. */
    caller: Caller | undefined
  }
}

export const addCallerToRequests = (app: FastifyInstance): FastifyInstance => app.decorateRequest('caller', undefined)

/** The caller of an admitted request. @throws on a route without admission */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === undefined) throw new Error('this route has no admission, so the request has no caller')
  return caller
}
