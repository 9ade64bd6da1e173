import type { DocumentedOperation } from '../contract/document.ts'

/** The parts of a request. */
export type Parts = {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A request as it is sent. */
export type FuzzedRequest = {
  readonly operation: string
  /** The error in it. */
  readonly broken?: string
  /** The status of its response. */
  readonly expected?: number
  /** The pointer of the error in the response. */
  readonly pointer?: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export function requestOf({ method, path, operation }: DocumentedOperation, parts: Parts): FuzzedRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parts.path[name])))
  const query = new URLSearchParams(texts(parts.query))
  const headers = texts(parts.header)
  const request = {
    operation: operation.operationId,
    method,
    path: query.size === 0 ? filled : `${filled}?${query}`,
    headers,
  }
  if (operation.requestBody === undefined) return request
  const [mediaType = ''] = Object.keys(operation.requestBody.content)
  return {
    ...request,
    headers: { 'content-type': mediaType, ...headers },
    body: JSON.stringify(parts.body),
  }
}

/** Whether the body of a request is within the limit of its operation, which is in the description: some values are large. */
export function isWithinLimit({ operation }: DocumentedOperation, { body = '', expected }: FuzzedRequest): boolean {
  const maxKiB = Number(/\d+/.exec(operation.requestBody?.description ?? '')?.[0] ?? 0)
  return expected === 413 || Buffer.byteLength(body) <= maxKiB * 1024
}

const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
