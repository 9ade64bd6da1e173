import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders, type HostProblem, sendProblem } from '../responses/problem.ts'

type SupportedMethods = {
  readonly methods: readonly string[]
  /** The media type of the bodies of PATCH (RFC 5789). */
  readonly patchType?: string | undefined
}

/**
 * Adds routes for the other methods of a path: OPTIONS lists the supported ones, and the rest is refused. Neither reads
 * a body.
 */
export function addOtherMethods(app: FastifyInstance, url: string, { methods, patchType }: SupportedMethods): void {
  const allow = ['OPTIONS', ...methods].toSorted().join(', ')
  const headers = { ...commonHeaders, allow, ...(patchType !== undefined && { 'accept-patch': patchType }) }
  const list = async (_request: FastifyRequest, reply: FastifyReply) => reply.headers(headers).code(204).send()
  const refuse = async (request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(reply, methodNotAllowed(request, allow))
  const others = app.supportedMethods.filter((name) => name !== 'OPTIONS' && !methods.includes(name))
  app.route({ method: 'OPTIONS', url, onRequest: list, handler: list })
  app.route({ method: others, url, onRequest: refuse, handler: refuse })
}

export const methodNotAllowed = ({ method }: FastifyRequest, allow: string): HostProblem => ({
  code: 'method-not-allowed',
  message: `${method} is not allowed here; allowed methods are ${allow}.`,
  headers: { allow },
})
