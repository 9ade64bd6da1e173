import type { Permission } from '@auction/domain/permissions'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { sendProblem } from '../answers/problem.ts'
import { sendRead, sendSuccess } from '../answers/success.ts'
import { routePath } from '../requests/path-parameters.ts'
import type { OperationParts } from './operation.ts'
import { operations } from './table.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the operation that the route is. */
    readonly operation?: string
  }
}

/** Makes the hooks that decide, one after the other, whether a request may ask for what takes a permission. */
export type Admit = (permission: Permission) => onRequestHookHandler[]

/** Adds a route for each operation of the table. */
export function addOperations(app: FastifyInstance, admit: Admit, parts: OperationParts): void {
  for (const operation of operations) {
    const { name, method, path, permission, success, body } = operation
    const carry = operation.connect(parts)
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: routePath(path),
      config: { operation: name },
      ...(body?.maxBytes !== undefined && { bodyLimit: body.maxBytes }),
      onRequest: permission === undefined ? [] : admit(permission),
      // Nothing is returned: of a reply, Fastify would wait for the end.
      handler: async (request, reply) => {
        const result = await carry(request)
        if (!result.ok) sendProblem(reply, result.refusal)
        else if (success.tagged) sendRead(request, reply, result.value)
        else sendSuccess(reply, result.value)
      },
    })
  }
}
