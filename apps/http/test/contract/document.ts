import { createOpenApiDocument } from '../../src/api/openapi/document.ts'
import type { OperationObject, Reference } from '../../src/api/openapi/openapi.ts'

/** The document of a service that lets everybody read, which also declares the responses of one that does not. */
export const document = createOpenApiDocument('0.2.0', true)

/** An operation of the document. */
export type DocumentedOperation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly operation: OperationObject
}

// Longer paths come first: `/api/Auctions/Events` is also of the form of `/api/Auctions/{id}`.
export const documented: readonly DocumentedOperation[] = Object.entries(document.paths)
  .flatMap(([path, { get, post, put, patch }]) => [
    ...(get ? [{ method: 'GET', path, operation: get } as const] : []),
    ...(post ? [{ method: 'POST', path, operation: post } as const] : []),
    ...(put ? [{ method: 'PUT', path, operation: put } as const] : []),
    ...(patch ? [{ method: 'PATCH', path, operation: patch } as const] : []),
  ])
  .toSorted((a, b) => b.path.length - a.path.length)

/** The operation of a request, if any. HEAD requests use the operation of GET. */
export function operationOf(method: string, path: string): DocumentedOperation | undefined {
  const asked = method === 'HEAD' ? 'GET' : method
  const { pathname } = new URL(path, 'http://localhost')
  const found = documented.find((each) => patternOf(each.path).test(pathname))
  return documented.find((each) => each.method === asked && each.path === found?.path)
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i')

type Kind = 'responses' | 'headers' | 'parameters'

/** Resolves a reference; returns other values unchanged. */
export function resolved<Item extends object>(item: Item | Reference, kind: Kind): Item {
  if (!('$ref' in item)) return item
  const name = String(item.$ref).replace(`#/components/${kind}/`, '')
  const found = (document.components[kind] as Readonly<Record<string, object>>)[name]
  if (found === undefined) throw new Error(`the document has no ${kind} ${name}`)
  return found as Item // References in the document have the expected kind.
}

/** The schemas of all problems that have this status. */
export const problemSchemas = (status: number): Reference[] =>
  Object.entries(document.components.schemas).flatMap(([name, { properties }]) => {
    const declared = properties?.['status']
    const isOfStatus = typeof declared === 'object' && declared.minimum === status
    return isOfStatus ? [{ $ref: `#/components/schemas/${name}` } as const] : []
  })
