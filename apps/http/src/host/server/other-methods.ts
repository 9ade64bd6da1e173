import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { commonHeaders, sendProblem } from '../answers/problem.ts'

/**
 * Responds to other methods on every path with an operation: to OPTIONS with the supported methods, and with 405 to all other
 * methods that Node's parser accepts. Call it before the routes are added, and the function that it returns after that.
 */
export function answerOtherMethods(app: FastifyInstance): () => void {
  const methodsByPath = new Map<string, string[]>()
  const patchTypes = new Map<string, { readonly 'accept-patch': string }>()
  app.addHook('onRoute', ({ url, method, config }) => {
    methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), ...[method].flat()])
    if (method === 'PATCH' && config?.mediaType !== undefined) patchTypes.set(url, { 'accept-patch': config.mediaType })
  })
  for (const method of METHODS.filter((name) => !app.supportedMethods.includes(name))) app.addHttpMethod(method)

  return () => {
    for (const [url, methods] of [...methodsByPath]) {
      const allowed = [...new Set([...methods, 'OPTIONS'])].sort()
      const allow = allowed.join(', ')
      const headers = { ...commonHeaders, allow, ...patchTypes.get(url) }
      app.options(url, async (_request, reply) => reply.headers(headers).code(204).send())

      const refuse = (request: { readonly method: string }, reply: FastifyReply) =>
        sendProblem(reply, {
          code: 'method-not-allowed',
          message: `${request.method} is not allowed here; allowed methods are ${allow}.`,
          headers: { allow },
        })
      // In the hook, too, so that no body is read first.
      const others = app.supportedMethods.filter((method) => !allowed.includes(method))
      app.route({ method: others, url, onRequest: async (request, reply) => refuse(request, reply), handler: refuse })
    }
  }
}
