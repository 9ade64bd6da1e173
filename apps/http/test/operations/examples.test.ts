import { expect, test } from 'vitest'
import type { RecordedResponse } from '../../src/api/openapi/examples.ts'
import type { Example, Operation } from '../../src/api/operations/operation.ts'
import { operations } from '../../src/api/operations/table.ts'
import { csvType } from '../../src/api/requests/json-body.ts'
import { type Client, clientOf } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { correcting, managing, permissions, registering, saleManaging, tokenOf } from '../support/tokens.ts'

const recorded = '../../src/api/openapi/example-responses.json'

test('every example has its recorded response, in order on a new server', async () => {
  const anna = clientOf(
    await startServer(),
    tokenOf('anna', { permissions: [...permissions, correcting, managing, ...registering, saleManaging] }),
  )
  const responses: Record<string, Record<string, RecordedResponse>> = {}
  for (const operation of operations) {
    const ofOperation: Record<string, RecordedResponse> = {}
    for (const [summary, example] of Object.entries(operation.examples)) {
      const { status, body } = await send(anna, operation, example)
      expect([401, 403, 429, 500, 503], summary).not.toContain(status)
      expect([body.status ?? status, body.success], summary).toEqual([status, status < 400])
      ofOperation[summary] = body.success ? { status, ...body } : body
    }
    expect(ofOperation, operation.route.name).not.toEqual({})
    responses[operation.route.name] = ofOperation
  }
  // `npx -y pnpm@12 exec vitest run apps/http/test/operations -u` records them again.
  await expect(`${filled(responses)}\n`).toMatchFileSnapshot(recorded)
})

function send(client: Client, { route }: Operation, { parameters = {}, query, headers = {}, body }: Example) {
  const { method, path } = route
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters[name])))
  const address = query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`
  if (body === undefined) return client.send(method, address, { headers })
  const send = { GET: client.post, POST: client.post, PUT: client.put, PATCH: client.patch }[method]
  return send(address, body, { ...(typeof body === 'string' && { 'content-type': csvType }), ...headers })
}

/** JSON whose members share lines of up to 120 columns, unless they are long: an auction has some twenty. */
function filled(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((item) => filled(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${filled(member, inner)}`)
  const lines: string[] = []
  for (const member of members) {
    const line = lines.at(-1)
    const joined = `${line}, ${member}`
    const fits = line !== undefined && inner.length + joined.length < 120 && !joined.includes('\n')
    lines.splice(fits ? -1 : lines.length, 1, fits ? joined : member)
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const [only = '', ...others] = lines
  if (others.length === 0 && only.length < 90 && !only.includes('\n')) {
    return only === '' ? open + close : `${open} ${only} ${close}`
  }
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`
}
