import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type HostProblemCode, hostProblemTypes, type ProblemType, titleOf } from './problem-types.ts'

export type Problem = HostProblem | ApiProblem

export type HostProblem = ProblemFields & { readonly code: HostProblemCode }

/** A problem with a code of the API, and the type of that code. */
type ApiProblem = ProblemFields & { readonly code: string; readonly type: ProblemType }

type ProblemFields = {
  /** Tells people the error, and how to correct it. */
  readonly message: string
  /** Extension members (RFC 9457), such as `errors`. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** The cause of a 401, which only the log has. */
  readonly reason?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The URN that the types of problems begin with. */
    readonly problemUrn: string
  }
  interface FastifyReply {
    /** Set on a reply that reports a failure. */
    problem: Problem | undefined
  }
}

/** Lets a server send problems. Their types are `problemUrn` and the code, such as `urn:shop:problem:not-found`. */
export function addProblems(app: FastifyInstance, problemUrn: string): void {
  app.decorate('problemUrn', problemUrn)
  app.decorateReply('problem', undefined)
}

/**
 * Caches must not store authenticated data, and clients must not guess content types. Other headers apply only to
 * pages.
 */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** A request that is not valid HTTP. */
export const badRequest = (message: string): HostProblem => ({ code: 'bad-request', message })

export const typeOf = (problem: Problem): ProblemType =>
  'type' in problem ? problem.type : hostProblemTypes[problem.code]

export const codeOf = (problem: Problem): string => typeOf(problem).code ?? problem.code

/** The failure envelope: the members of the specification and those of RFC 9457. */
export function problemBody(problem: Problem, problemUrn: string): Buffer {
  const { message, members } = problem
  const type = typeOf(problem)
  const { status } = type
  const code = codeOf(problem)
  const urn = `${problemUrn}${code}`
  const body = { success: false, message, type: urn, title: titleOf(type, code), status, code, ...members }
  return Buffer.from(JSON.stringify(body))
}

export function problemHeaders(problem: Problem): Readonly<Record<string, string>> {
  const { retryAfterSeconds } = typeOf(problem)
  return {
    ...commonHeaders,
    // RFC 9457 defines no charset parameter.
    'content-type': 'application/problem+json',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...problem.headers,
  }
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.problem = problem
  // A buffer, because Fastify adds a charset to the media type of a string.
  reply
    .code(typeOf(problem).status)
    .headers(problemHeaders(problem))
    .send(problemBody(problem, reply.server.problemUrn))
  return reply
}

/** The problem for a request whose outcome is unknown, with how to proceed. `cause` is a clause. */
export function unknownOutcome(cause: string, headers: IncomingHttpHeaders): Problem {
  const hasKey = headers['idempotency-key'] !== undefined
  const advice = hasKey ? sendAgain : 'Check before you send it again, and use an Idempotency-Key next time.'
  return { code: 'store-unavailable', message: `${cause}; the outcome of the request is unknown. ${advice}` }
}

export const isWrite = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method)

/** This advice is safe for a request with a key, whatever its outcome. */
export const sendAgain = 'Send it again with the same Idempotency-Key; it takes effect only once.'

const closing = { connection: 'close' } as const

/** The problem of a request that changed nothing. */
export const shuttingDown: Problem = {
  code: 'overloaded',
  message: 'The server is shutting down; nothing was changed. Send the request again.',
  headers: closing,
}

/** Returns the problem of a request that has no response at the shutdown. */
export function cutShort({ method, raw }: FastifyRequest): Problem {
  // An incomplete request has not started.
  if (!raw.complete || !isWrite(method)) return shuttingDown
  const cause = 'The server is shutting down and the store has not responded'
  return { ...unknownOutcome(cause, raw.headers), headers: closing }
}
