import type { Permission } from '@auction/adapters/jwt'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { sendProblem } from '../../host/answers/problem.ts'
import { sendRead, sendSuccess } from '../../host/answers/success.ts'
import type { OperationParts } from './operation.ts'
import { operations } from './table.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the route's operation. */
    readonly operation?: string
  }
}

/** Returns the hooks that check, in order, whether a request has the permission. */
export type Admit = (permission: Permission) => onRequestHookHandler[]

/** Adds a route for each operation of the table. */
export function addOperations(app: FastifyInstance, admit: Admit, parts: OperationParts): void {
  for (const operation of operations) {
    const { name, method, path, permission, success, body } = operation
    const handle = operation.connect(parts)
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      // Parameters are not empty, so a trailing slash does not match.
      url: path.replaceAll(/\{(\w+)\}/g, ':$1(.+)'),
      config: { operation: name },
      ...(body?.maxBytes !== undefined && { bodyLimit: body.maxBytes }),
      onRequest: permission === undefined ? [] : admit(permission),
      // The handler returns nothing, because Fastify would wait for the end of a returned reply.
      handler: async (request, reply) => {
        const result = await handle(request)
        if (!result.ok) sendProblem(reply, result.refusal)
        else if (success.tagged) sendRead(request, reply, result.value)
        else sendSuccess(reply, result.value)
      },
    })
  }
}
