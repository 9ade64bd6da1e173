import { expect, test, vi } from 'vitest'
import { newAuction } from './support/client.ts'
import { startHeldServer } from './support/held-server.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { tokenOf } from './support/tokens.ts'

const json = { authorization: `Bearer ${tokenOf('anna')}`, 'content-type': 'application/json' }

test('a server that is closing cannot start to drain', async () => {
  const server = await startHeldServer()
  const other = await rawConnection(server.port)
  const connection = await rawConnection(server.port)
  connection.write(requestBytes('POST', '/api/Auctions', json, JSON.stringify(newAuction)))
  await server.begun
  const closed = server.app.close()
  // The phase changes in a hook.
  await vi.waitUntil(() => server.lifecycle.isDraining())
  server.lifecycle.drain()
  other.write(requestBytes('GET', '/api/Auctions', json))
  expect(statusesIn(await other.until(/\}$/))).toEqual([503])
  server.release()
  await closed
})
