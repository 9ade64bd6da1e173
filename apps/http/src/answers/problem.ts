import type { FastifyInstance, FastifyReply } from 'fastify'
import type {} from '../server/connections/unread-answers.ts' // Declares what servers have.
import { commonHeaders } from './common-headers.ts'
import { type ProblemCode, problemType } from './problem-types.ts'

/** One failure, as it is answered. */
export type Problem = {
  readonly code: ProblemCode
  /** For people: what was wrong, and what would have been right. */
  readonly message: string
  /** RFC 9457 extension members, such as the faults of a 400. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only, where the code leaves it open: why there is a 401. */
  readonly reason?: string
}

declare module 'fastify' {
  interface FastifyReply {
    /** Set on a reply that tells of a failure. */
    problem: Problem | undefined
  }
}

export const addProblemToReplies = (app: FastifyInstance): FastifyInstance => app.decorateReply('problem', undefined)

/** The media type of RFC 9457, which defines no charset parameter. */
const problemMediaType = 'application/problem+json'

/** The code that clients see. */
export const clientCode = ({ code }: Pick<Problem, 'code'>): string => problemType(code).code ?? code

/** The failure envelope: the specification's members, with those of RFC 9457 beside them. */
export function problemMembers(problem: Problem): object {
  const { message, members } = problem
  const { status, title } = problemType(problem.code)
  const code = clientCode(problem)
  const type = `urn:auction-service:problem:${code}`
  return { success: false, message, type, title, status, code, ...members }
}

export const problemBody = (problem: Problem): Buffer => Buffer.from(JSON.stringify(problemMembers(problem)))

export function problemHeaders({ code, headers }: Problem): Readonly<Record<string, string>> {
  const { retryAfterSeconds } = problemType(code)
  return {
    ...commonHeaders,
    'content-type': problemMediaType,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...headers,
  }
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.problem = problem
  // As bytes: Fastify would add a charset to the media type of a text.
  reply.code(problemType(problem.code).status).headers(problemHeaders(problem)).send(problemBody(problem))
  reply.server.unreadAnswers.note(reply)
  return reply
}
