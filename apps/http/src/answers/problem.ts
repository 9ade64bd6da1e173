import type { FastifyReply } from 'fastify'
import { type ProblemCode, problemType } from './problem-types.ts'

/** One failure, as it is answered. */
export type Problem = {
  readonly code: ProblemCode
  /** For people: what was wrong, and what would have been right. */
  readonly message: string
  /** RFC 9457 extension members, such as the faults of a 400. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The media type of RFC 9457, which defines no charset parameter. */
const problemMediaType = 'application/problem+json'

/** The failure envelope: the specification's members, with those of RFC 9457 beside them. */
export function problemBody({ code: name, message, members }: Problem): Buffer {
  const { status, title, code = name } = problemType(name)
  const type = `urn:auction-service:problem:${code}`
  return Buffer.from(JSON.stringify({ success: false, message, type, title, status, code, ...members }))
}

export function problemHeaders({ code, headers }: Problem): Readonly<Record<string, string>> {
  const { retryAfterSeconds } = problemType(code)
  return {
    'content-type': problemMediaType,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...headers,
  }
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  // As bytes: Fastify would add a charset to the media type of a text.
  reply.code(problemType(problem.code).status).headers(problemHeaders(problem)).send(problemBody(problem))
  reply.server.unreadAnswers.note(reply)
  return reply
}
