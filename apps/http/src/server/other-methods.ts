import type { FastifyInstance, FastifyReply } from 'fastify'
import { commonHeaders } from '../answers/common-headers.ts'
import { sendProblem } from '../answers/problem.ts'
import { METHODS } from './node-http.ts'

/**
 * Answers what no operation is, on every path that has some: OPTIONS with the methods that there are, and 405 for each other method
 * that Node's parser reads. Call it before the routes are added, and what it returns after them.
 */
export function answerOtherMethods(app: FastifyInstance): () => void {
  const methodsByPath = new Map<string, string[]>()
  app.addHook('onRoute', ({ url, method }) => {
    methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), ...[method].flat()])
  })
  for (const method of METHODS.filter((name) => !app.supportedMethods.includes(name))) app.addHttpMethod(method)

  return () => {
    for (const [url, methods] of [...methodsByPath]) {
      const allowed = [...new Set([...methods, 'OPTIONS'])].sort()
      const allow = allowed.join(', ')
      app.options(url, async (_request, reply) =>
        reply
          .headers({ ...commonHeaders, allow })
          .code(204)
          .send(),
      )

      const refuse = (request: { readonly method: string }, reply: FastifyReply) =>
        sendProblem(reply, {
          code: 'method-not-allowed',
          message: `There is no ${request.method} here; there is ${allow}.`,
          headers: { allow },
        })
      // In the hook too, so that no body is read first.
      const others = app.supportedMethods.filter((method) => !allowed.includes(method))
      app.route({ method: others, url, onRequest: async (request, reply) => refuse(request, reply), handler: refuse })
    }
  }
}
