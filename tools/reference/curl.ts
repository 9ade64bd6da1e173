import type { Example, Operation } from '../../apps/http/src/api/operations/operation.ts'

/** The curl command that sends an example with a body to the server `$URL` with the token `$TOKEN`. */
export function curlOf({ route, schemas }: Operation, example: Example): string {
  const { method, path } = route
  const { parameters = {}, headers = {}, body } = example
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters[name])))
  const parts = [
    // curl sends POST with a body.
    `curl ${method === 'POST' ? '' : `-X ${method} `}"$URL${filled}"`,
    '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `-H 'Content-Type: ${schemas.body?.mediaType ?? 'application/json'}'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ]
  return parts.join(' \\\n  ')
}

/** Quotes a string for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
