import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from './request-log.ts'

export type MethodHeaders = { readonly allow: string; readonly 'accept-patch'?: string }

type Path = { readonly form: RegExp; readonly methods: Set<string>; patchType?: string }

/**
 * The paths of a server with the methods that they support. Fastify finds no route for another method, and a route for each of Node's 35
 * methods would take a tenth of the startup time. Call it before the routes are added.
 */
export function createRouteTable(app: FastifyInstance) {
  const paths = new Map<string, Path>()

  app.addHook('onRoute', ({ url, method, config }) => {
    const key = url.toLowerCase()
    const path = paths.get(key) ?? { form: formOf(url), methods: new Set(['OPTIONS']) }
    paths.set(key, path)
    for (const name of [method].flat()) path.methods.add(name)
    if (method === 'PATCH' && config?.mediaType !== undefined) path.patchType = config.mediaType
  })

  /** A path without parameters takes precedence. */
  function find(url: string): Path | undefined {
    const path = routedPath(url)
    return paths.get(path.toLowerCase()) ?? [...paths.values()].find(({ form }) => form.test(path))
  }

  return {
    /** Whether the router found a path with parameters for a method that the path without parameters does not support. */
    isMisrouted: ({ url, method }: FastifyRequest): boolean =>
      paths.get(pathOf(url).toLowerCase())?.methods.has(method) === false,
    /** The headers that describe the methods of a path; undefined for an unknown path. */
    methodHeaders(url: string): MethodHeaders | undefined {
      const found = find(url)
      if (found === undefined) return undefined
      const allow = [...found.methods].sort().join(', ')
      return { allow, ...(found.patchType !== undefined && { 'accept-patch': found.patchType }) }
    },
  }
}

/** The path as the router reads it. It has refused a URL that cannot be decoded. */
const routedPath = (url: string): string =>
  decodeURI(url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*/, '') || '/')

/** Matches what the router matches: a parameter is a segment, and paths are not case-sensitive. */
const formOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*]/g, String.raw`\$&`).replaceAll(/:\w+\([^)]*\)/g, '[^/]+')}$`, 'i')
