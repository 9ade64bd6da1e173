import type { Example } from '../../apps/http/src/api/operations/example.ts'
import type { Operation } from '../../apps/http/src/api/operations/operation.ts'

/** The curl command that sends an example to the server `$URL` with the token `$TOKEN`. */
export function curlOf({ method, path, permission, body: expected }: Operation, { request }: Example): string {
  const { parameters = {}, query, headers = {}, body } = request
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters[name])))
  const address = query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`
  // curl sends GET without a body, and POST with one.
  const usual = body === undefined ? 'GET' : 'POST'
  const { mediaType = 'application/json' } = expected ?? {}
  const parts = [
    `curl ${method === usual ? '' : `-X ${method} `}"$URL${address}"`,
    ...(permission === undefined ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${mediaType}'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Quotes a string for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
