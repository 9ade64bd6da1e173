import { expect, test } from 'vitest'
import type { Example } from '../../src/api/operations/example.ts'
import type { Operation } from '../../src/api/operations/operation.ts'
import { operations } from '../../src/api/operations/table.ts'
import { type Client, clientOf } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { correcting, permissions, tokenOf } from '../support/tokens.ts'

test('every example has its response, in order on a new server', async () => {
  const anna = clientOf(await startServer(), tokenOf('anna', { permissions: [...permissions, correcting] }))
  for (const operation of operations) {
    expect(operation.examples, operation.name).not.toEqual([])
    for (const example of operation.examples) {
      const { status, body } = await send(anna, operation, example)
      expect({ status, body }, `${operation.name}: ${example.summary}`).toEqual(example.answer)
    }
  }
})

function send(client: Client, { method, path }: Operation, { request }: Example) {
  const { parameters = {}, query, headers = {}, body } = request
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters[name])))
  const address = query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`
  if (body === undefined) return client.send(method, address, { headers })
  return method === 'PATCH' ? client.patch(address, body, headers) : client.post(address, body, headers)
}
