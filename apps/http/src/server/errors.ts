import { isServiceClosed } from '@auction/domain/service-closed'
import { isStoreUnavailable, type StoreUnavailableError } from '@auction/domain/store-unavailable'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Problem, sendProblem } from '../answers/problem.ts'
import { sendOnceMore, unknownOutcome } from '../answers/unknown-outcome.ts'
import type { Readiness } from './health.ts'
import { shuttingDown } from './shutting-down.ts'
import { traceParentOf } from './trace-parent.ts'

export type HandleError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Answers what was thrown. Of what went wrong inside, only the log hears, under the request's id. */
export function createErrorHandler(logger: Logger, readiness: Pick<Readiness, 'noteError'>): HandleError {
  return (error, request, reply) => {
    const problem = problemFor(error, request)
    const isLeft = problem.code === 'store-unavailable' && isReadOfNobody(request)
    if (!isLeft) readiness.noteError(error)
    if (problem.code === 'internal' || (problem.code === 'store-unavailable' && !isLeft)) {
      // Of an outage, the log has one line; each request that it fails has its usual one.
      const level = problem.code === 'internal' ? 'error' : 'debug'
      logger[level]({ requestId: request.id, ...traceParentOf(request.headers), err: error }, problem.code)
    }
    // Fastify gives up the connection with a body that it has not read; Node reads on, so that the client gets the answer.
    if (problem.code === 'payload-too-large') reply.removeHeader('connection')
    sendProblem(reply, problem)
  }
}

/** What a client that has left was to read, which is not read for it. */
const isReadOfNobody = ({ method, raw }: FastifyRequest): boolean => method !== 'POST' && raw.destroyed

function problemFor(error: unknown, request: FastifyRequest): Problem {
  if (isStoreUnavailable(error)) return storeUnavailable(error, request)
  if (isServiceClosed(error)) return shuttingDown
  if (request.raw.readableAborted && isAbort(error)) {
    return { code: 'bad-request', message: 'The request ended before its end.' }
  }
  return (isFastifyError(error) ? unreadable(error, request) : undefined) ?? internal(request)
}

/** What reading the body of a client that left ends with. */
const isAbort = (error: unknown): boolean =>
  isFastifyError(error) || (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_ERR_')

/** What Fastify could not read. An error that is not the client's is not said to be. */
function unreadable({ code, statusCode }: FastifyError, request: FastifyRequest): Problem | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(request)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return otherMediaType
    case 'FST_ERR_BAD_URL':
      return { code: 'bad-request', message: 'The path is not properly percent-encoded.' }
    default: {
      const isClients = statusCode !== undefined && statusCode >= 400 && statusCode < 500
      return isClients ? { code: 'bad-request', message: 'The request can not be read.' } : undefined
    }
  }
}

const internal = ({ id }: FastifyRequest): Problem => ({
  code: 'internal',
  message: `Something went wrong here, not with the request. It is logged under ${id}.`,
  members: { requestId: id },
})

const tooLarge = ({ routeOptions }: FastifyRequest): Problem => ({
  code: 'payload-too-large',
  message: `The body is larger than ${routeOptions.bodyLimit} bytes.`,
})

const otherMediaType: Problem = {
  code: 'unsupported-media-type',
  message: 'The body must be JSON; send it with Content-Type: application/json.',
  headers: { accept: 'application/json' },
}

function storeUnavailable({ outcome }: StoreUnavailableError, { method, headers }: FastifyRequest): Problem {
  if (method === 'POST' && outcome !== 'nothing-changed') return unknownOutcome('The store does not answer', headers)
  // An earlier try with the key may have been carried out, so this is said of the request alone.
  const hasKey = headers['idempotency-key'] !== undefined
  const advice = hasKey ? ` by this request: ${sendOnceMore}` : ', and the request may be sent again'
  return { code: 'store-unavailable', message: `The store does not answer; nothing was changed${advice}.` }
}
