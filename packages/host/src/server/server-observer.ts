import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../responses/problem.ts'

/**
 * Why an event stream ended: no event follows, it was old, its token expired, the server shuts down, or the client
 * left.
 */
export const streamEnds = ['over', 'age', 'token-expired', 'draining', 'client'] as const
export type StreamEnd = (typeof streamEnds)[number]

/** The reason why the server closed a usable connection. */
export const dropReasons = ['too-many-connections', 'too-many-of-address', 'pipelined'] as const
export type DropReason = (typeof dropReasons)[number]

/** Receives the events of requests and connections, for metrics and traces. No method may throw. */
export type ServerObserver = {
  /** Adds its hooks before routes are added. */
  readonly addTo?: (app: FastifyInstance) => void
  /** Called for each request. The returned function is called once, when the response has ended, received or not. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply) => () => void
  /** Called for a refusal of input that is not a request, such as bytes that are not HTTP. */
  readonly onEarlyRefusal?: (problem: Problem) => void
  readonly onDroppedConnection?: (reason: DropReason) => void
  /** Called for each event stream. The returned function is called once, when it has ended. */
  readonly onStream?: (() => (reason: StreamEnd) => void) | undefined
}
