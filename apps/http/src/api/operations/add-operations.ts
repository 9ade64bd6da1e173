import type { FastifyInstance } from 'fastify'
import { sendProblem } from '../../host/answers/problem.ts'
import { addVary, sendRead, sendSuccess, tagOf } from '../../host/answers/success.ts'
import type { Admission } from '../../host/security/admission.ts'
import { isAnonymous } from '../../host/security/callers.ts'
import type { OperationParts } from './operation.ts'
import { operations } from './table.ts'

export function addOperations(
  app: FastifyInstance,
  admit: Admission,
  hasAnonymousReads: boolean,
  parts: OperationParts,
): void {
  for (const operation of operations) {
    const { name, method, path, permission, staffPermission, secondPermission, success, body } = operation
    const isPublic = operation.isPublic === true && hasAnonymousReads
    const handle = operation.connect(parts)
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      // Parameters are not empty, so a trailing slash does not match.
      url: path.replaceAll(/\{(\w+)\}/g, ':$1(.+)'),
      config: { operation: name, mediaType: body?.mediaType },
      ...(body?.maxBytes !== undefined && { bodyLimit: body.maxBytes }),
      onRequest: permission === undefined ? [] : admit({ permission, isPublic, staffPermission, secondPermission }),
      // The handler returns nothing, because Fastify would wait for the end of a returned reply.
      handler: async (request, reply) => {
        // The same path has two representations.
        if (success.stream) addVary(reply, 'Accept')
        const result = await handle(request, reply)
        if (result === 'answered') return
        if (!result.ok) sendProblem(reply, result.refusal)
        else if (isAnonymous(request)) sendRead(request, reply, result.value, 'public')
        else if (success.tagged && method === 'GET') sendRead(request, reply, result.value, 'private')
        else if (success.tagged) sendSuccess(reply.header('etag', tagOf(result.value)), result.value)
        else sendSuccess(reply, result.value)
      },
    })
  }
}
