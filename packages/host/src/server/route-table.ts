import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, sendProblem } from '../answers/problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media type of the bodies of the route. */
    readonly mediaType?: string | undefined
  }
}

export type RouteTable = ReturnType<typeof createRouteTable>

export type MethodHeaders = { readonly allow: string; readonly 'accept-patch'?: string }

type Path = { readonly form: RegExp; readonly methods: Set<string>; patchType?: string }

/**
 * The paths of a server with the methods that they support. Fastify finds no route for another method, and a route for each of Node's 35
 * methods would take a tenth of the startup time. Call it before the routes are added.
 */
export function createRouteTable(app: FastifyInstance) {
  const paths = new Map<string, Path>()

  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.operation === undefined) return
    const key = url.toLowerCase()
    const path = paths.get(key) ?? { form: formOf(url), methods: new Set(['OPTIONS']) }
    paths.set(key, path)
    for (const name of [method].flat()) path.methods.add(name)
    if (method === 'PATCH' && config.mediaType !== undefined) path.patchType = config.mediaType
  })

  /** A path without parameters takes precedence. */
  function find(url: string): Path | undefined {
    const path = routedPath(url)
    return paths.get(path.toLowerCase()) ?? [...paths.values()].find(({ form }) => form.test(path))
  }

  return {
    /** The headers that describe the methods of a path; undefined for an unknown path. */
    methodHeaders(url: string): MethodHeaders | undefined {
      const found = find(url)
      return found && headersOf(found)
    },
    /** Refuses the methods of paths with parameters on the paths without parameters that they match. Call it after the routes are added. */
    separatePaths(): void {
      for (const [url, path] of paths) {
        const matching = [...paths.values()].filter(({ form }) => form.test(url)).flatMap(({ methods }) => [...methods])
        const method = [...new Set(matching)].filter((name) => !path.methods.has(name))
        const refuse = async (request: FastifyRequest, reply: FastifyReply) =>
          sendProblem(reply, methodNotAllowed(request, headersOf(path)))
        if (method.length > 0) app.route({ method, url, onRequest: refuse, handler: refuse })
      }
    },
  }
}

function headersOf({ methods, patchType }: Path): MethodHeaders {
  const allow = [...methods].sort().join(', ')
  return { allow, ...(patchType !== undefined && { 'accept-patch': patchType }) }
}

export const methodNotAllowed = ({ method }: FastifyRequest, { allow }: MethodHeaders): Problem => ({
  code: 'method-not-allowed',
  message: `${method} is not allowed here; allowed methods are ${allow}.`,
  headers: { allow },
})

/** The path as the router reads it. It has refused a URL that cannot be decoded. */
const routedPath = (url: string): string =>
  decodeURI(url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*/, '') || '/')

/** Matches what the router matches: a parameter is a segment on one line, and paths are not case-sensitive. */
const formOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*]/g, String.raw`\$&`).replaceAll(/:\w+\([^)]*\)/g, '(?:(?!/).)+')}$`, 'i')
