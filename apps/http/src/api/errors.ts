import {
  isSealedBidsUnavailable,
  isServiceClosed,
  isStoreUnavailable,
  isUnsupportedByStore,
  type StoreUnavailableError,
} from '@auction/domain/errors'
import {
  badRequest,
  isWrite,
  type Problem,
  sendAgain,
  sendProblem,
  shuttingDown,
  unknownOutcome,
} from '@auction/host/responses'
import { maxBodyParts, traceParentOf } from '@auction/host/server'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Readiness } from './readiness.ts'
import { otherMediaType } from './requests/json-body.ts'
import { problemType } from './responses/refusals.ts'

/**
 * Sends the problem for an error, unless the response has begun: Fastify cuts it then. Details of internal errors go
 * only to the log, with the request id.
 */
export function createErrorHandler(logger: Logger, readiness: Pick<Readiness, 'noteError'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = problemFor(error, request)
    const isAbandoned = problem.code === 'store-unavailable' && isAbandonedRead(request)
    if (!isAbandoned) readiness.noteError(error)
    if (problem.code === 'internal' || (problem.code === 'store-unavailable' && !isAbandoned)) {
      // An outage has one log line; each request that fails has only its request line.
      const level = problem.code === 'internal' ? 'error' : 'debug'
      logger[level]({ requestId: request.id, ...traceParentOf(request.headers), err: error }, problem.code)
    }
    // Fastify closes the connection if it has not read the body. Node reads the rest, so the client receives the
    // response.
    if (problem.code === 'payload-too-large') reply.removeHeader('connection')
    if (reply.raw.headersSent) reply.problem = problem
    else sendProblem(reply, problem)
  }
}

/** Whether the client of a read has disconnected. The service cancels such a read. */
const isAbandonedRead = ({ method, raw }: FastifyRequest): boolean => !isWrite(method) && raw.destroyed

function problemFor(error: unknown, request: FastifyRequest): Problem {
  if (isStoreUnavailable(error)) return storeUnavailable(error, request)
  if (isServiceClosed(error)) return shuttingDown
  if (isUnsupportedByStore(error)) return unsupported
  if (isSealedBidsUnavailable(error)) return sealedBidsUnavailable
  if (request.raw.readableAborted && isAbort(error)) return badRequest('The request body is incomplete.')
  return (isFastifyError(error) ? unreadable(error, request) : undefined) ?? internal(request)
}

/** The errors that Node and Fastify throw when a client disconnects during the body. */
const isAbort = (error: unknown): boolean =>
  isFastifyError(error) || (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_ERR_')

/** The problem for a request that Fastify could not read; undefined for an error that the client did not cause. */
function unreadable({ code, statusCode }: FastifyError, request: FastifyRequest): Problem | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'payload-too-large', message: tooLarge(request) }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return otherMediaType(request)
    case 'FST_ERR_BAD_URL':
      return badRequest('The path has invalid percent-encoding.')
    default:
      if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined
      return badRequest('The request cannot be read.')
  }
}

const tooLarge = ({ raw, routeOptions: { bodyLimit } }: FastifyRequest): string =>
  raw.receivedEncodedLength === undefined
    ? `The body is larger than ${bodyLimit} bytes.`
    : `The body arrived in more than ${maxBodyParts} parts; send it in fewer chunks.`

const unsupported: Problem = {
  code: 'unsupported',
  message: 'This service cannot do that, because its store does not support it.',
}

const sealedBidsUnavailable: Problem = {
  code: 'sealed-bids-unavailable',
  message:
    'This server cannot seal or open the bids of this auction; this request changed nothing. Send it again later.',
  type: problemType('sealed-bids-unavailable'),
}

const internal = ({ id }: FastifyRequest): Problem => ({
  code: 'internal',
  message: `An internal error occurred. The log has the details under request id ${id}.`,
  members: { requestId: id },
})

function storeUnavailable({ outcome }: StoreUnavailableError, { method, headers }: FastifyRequest): Problem {
  if (isWrite(method) && outcome !== 'nothing-changed') return unknownOutcome('The store does not respond', headers)
  // An earlier request with the same key may have succeeded, so the message covers only this request.
  const advice = headers['idempotency-key'] === undefined ? 'Send it again.' : sendAgain
  return { code: 'store-unavailable', message: `The store does not respond; this request changed nothing. ${advice}` }
}
