import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'

/** Why a connection was closed that could have gone on. */
export type DropReason = 'too-many-connections' | 'too-many-of-address' | 'pipelined' | 'too-much-unread'

/** What came of one try to close all auctions that are due. */
export type ClosingRun = 'complete' | 'incomplete' | 'failed'

/**
 * Is told what becomes of requests and connections, for metrics and traces; where there is none, nothing is called. No call may
 * throw.
 */
export type ServerWatch = {
  /** Adds what it needs of its own, before there are routes. */
  readonly addTo?: (app: FastifyInstance) => void
  /** A request has arrived. What is returned is called once, when its response has ended, whether its client has seen it or not. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply) => () => void
  /** Something was refused that never became a request, such as bytes that are not HTTP. */
  readonly onEarlyRefusal?: (problem: Problem) => void
  readonly onDroppedConnection?: (reason: DropReason) => void
  readonly onClosingRun?: (run: ClosingRun) => void
}
