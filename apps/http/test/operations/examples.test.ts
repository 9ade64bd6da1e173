import { expect, test } from 'vitest'
import type { Answer } from '../../src/api/openapi/examples.ts'
import type { Example, Operation } from '../../src/api/operations/operation.ts'
import { operations } from '../../src/api/operations/table.ts'
import { type Client, clientOf } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { correcting, managing, permissions, tokenOf } from '../support/tokens.ts'

const recorded = '../../src/api/openapi/example-answers.json'

test('every example has its recorded response, in order on a new server', async () => {
  const anna = clientOf(await startServer(), tokenOf('anna', { permissions: [...permissions, correcting, managing] }))
  const answers: Record<string, Record<string, Answer>> = {}
  for (const operation of operations) {
    const ofOperation: Record<string, Answer> = {}
    for (const [summary, example] of Object.entries(operation.examples)) {
      const { status, body } = await send(anna, operation, example)
      expect([401, 403, 429, 500, 503], summary).not.toContain(status)
      ofOperation[summary] = { status, body }
    }
    expect(ofOperation, operation.route.name).not.toEqual({})
    answers[operation.route.name] = ofOperation
  }
  // `npx -y pnpm@12 exec vitest run apps/http/test/operations -u` records them again.
  await expect(`${JSON.stringify(answers, null, 2)}\n`).toMatchFileSnapshot(recorded)
})

function send(client: Client, { route }: Operation, { parameters = {}, query, headers = {}, body }: Example) {
  const { method, path } = route
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters[name])))
  const address = query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`
  if (body === undefined) return client.send(method, address, { headers })
  return method === 'PATCH' ? client.patch(address, body, headers) : client.post(address, body, headers)
}
