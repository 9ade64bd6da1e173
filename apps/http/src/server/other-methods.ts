import type { FastifyInstance } from 'fastify'
import { sendProblem } from '../answers/problem.ts'
import { METHODS } from './node-http.ts'

/**
 * Answers 405 on every path that has routes, for each method that it has none for, among all that Node's parser reads. Call
 * it before the routes are added.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const methodsByPath = new Map<string, string[]>()
  app.addHook('onRoute', ({ url, method }) => {
    methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), ...[method].flat()])
  })
  for (const method of METHODS.filter((name) => !app.supportedMethods.includes(name))) app.addHttpMethod(method)

  return () => {
    for (const [url, allowed] of [...methodsByPath]) {
      const allow = [...new Set(allowed)].sort().join(', ')
      const refuse = (request: { readonly method: string }, reply: Parameters<typeof sendProblem>[0]) =>
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
