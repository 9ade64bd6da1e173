import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'

/** The reason why the server closed a usable connection. */
export type DropReason = 'too-many-connections' | 'too-many-of-address' | 'pipelined'

/** Receives the events of requests and connections, for metrics and traces. No method may throw. */
export type ServerWatch = {
  /** Adds its hooks before routes are added. */
  readonly addTo?: (app: FastifyInstance) => void
  /** Called for each request. The returned function is called once, when the response has ended, received or not. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply) => () => void
  /** Called for a refusal of input that is not a request, such as bytes that are not HTTP. */
  readonly onEarlyRefusal?: (problem: Problem) => void
  readonly onDroppedConnection?: (reason: DropReason) => void
}
