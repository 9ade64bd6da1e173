import { addVary, sendProblem, sendRead, sendSuccess, tagOf } from '@auction/host/answers'
import { type Admission, isAnonymous } from '@auction/host/security'
import { addOtherMethods } from '@auction/host/server'
import type { FastifyInstance } from 'fastify'
import { bodyLimitBytes } from '../requests/json-body.ts'
import type { Operation, OperationParts } from './operation.ts'
import { operations } from './table.ts'

export function addOperations(
  app: FastifyInstance,
  admit: Admission,
  hasAnonymousReads: boolean,
  parts: OperationParts,
): void {
  for (const { route, schemas, connect } of operations) {
    const { name, method, path, permissions } = route
    const { body, stream, isTagged } = schemas
    const isPublic = route.isPublic === true && hasAnonymousReads
    const handle = connect(parts)
    app.route({
      method: methodsOf(method),
      url: urlOf(path),
      config: { operation: name, mediaType: body?.mediaType },
      bodyLimit: body?.maxBytes ?? bodyLimitBytes,
      onRequest: permissions === undefined ? [] : admit({ isPublic, missingIn: permissions.missingIn }),
      // The handler returns nothing, because Fastify would wait for the end of a returned reply.
      handler: async (request, reply) => {
        // The same path has two representations.
        if (stream !== undefined) addVary(reply, 'Accept')
        const result = await handle(request, reply)
        if (result === 'answered') return
        if (!result.ok) sendProblem(reply, result.refusal)
        else if (isAnonymous(request)) sendRead(request, reply, result.value, 'public')
        else if (isTagged && method === 'GET') sendRead(request, reply, result.value, 'private')
        else if (isTagged) sendSuccess(reply.header('etag', tagOf(result.value)), result.value)
        else sendSuccess(reply, result.value)
      },
    })
  }
  for (const [path, onPath] of Map.groupBy(operations, ({ route }) => route.path)) {
    const methods = onPath.flatMap(({ route }) => methodsOf(route.method))
    const patchType = onPath.find(({ route }) => route.method === 'PATCH')?.schemas.body?.mediaType
    addOtherMethods(app, urlOf(path), { methods, patchType })
  }
}

const methodsOf = (method: Operation['route']['method']): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** The path in the form of the router. Parameters are not empty, so a trailing slash does not match. */
const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1(.+)')
