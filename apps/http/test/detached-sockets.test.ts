import { once } from 'node:events'
import { expect, test } from 'vitest'
import { clientOf, newAuction } from './support/client.ts'
import { creation, exchange, rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startHeldServer, startServer } from './support/server.ts'
import { jsonHeaders } from './support/tokens.ts'

const connect = requestBytes('CONNECT', 'localhost:80', {})

test('connections that sent CONNECT, some of them reset, do not disturb other requests or delay the end', async () => {
  const server = await startServer()
  for (let count = 0; count < 20; count++) {
    const { socket, write, until } = await rawConnection(server.port)
    write(connect)
    if (count % 2 === 0) await until(/"code":"bad-request"/)
    else {
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
  }
  expect((await clientOf(server).createAuction()).status).toBe(201)
  await server.app.close()
  expect(server.log.filter((line) => /"level":[56]0/.test(line))).toEqual([])
})

test.each([
  ['CONNECT', connect],
  ['bytes that are not HTTP', 'garbage\r\n\r\n'],
])('the server closes a connection after %s, even if the client does not', async (_what, bytes) => {
  const server = await startServer()
  const accepted = once(server.app.server, 'connection')
  const connection = await rawConnection(server.port)
  const [socket] = await accepted
  const closed = once(socket, 'close')
  connection.write(bytes)
  expect(statusesIn(await connection.until(/"code":"bad-request"/))).toEqual([400])
  await closed
  connection.socket.destroy()
})

test('CONNECT after a request closes the connection after the response', async () => {
  const server = await startServer()
  expect(statusesIn(await exchange(server.port, creation + connect))).toEqual([201])
})

test('a connection that closes after a response is closed with all others', async () => {
  const server = await startHeldServer()
  const connection = await rawConnection(server.port)
  connection.write(creation + connect)
  await server.begun
  server.app.server.closeAllConnections()
  expect(await connection.ended()).toBe('')
  server.release()
})

test.each([
  ['GET', 200, /\r\n\r\n\{.*\}/s],
  ['POST', 201, /\r\n\r\n\{.*\}/s],
  ['OPTIONS', 204, /\r\n\r\n$/],
])('%s with Upgrade is a request like any other', async (method, status, whole) => {
  const server = await startServer()
  const connection = await rawConnection(server.port)
  const upgrade = { ...jsonHeaders, connection: 'Upgrade', upgrade: 'websocket' }
  const body = method === 'POST' ? JSON.stringify(newAuction) : ''
  connection.write(requestBytes(method, '/api/Auctions', upgrade, body))
  await connection.until(whole)
  connection.write(requestBytes('GET', '/api/Auctions', { ...jsonHeaders, connection: 'close' }))
  expect(statusesIn(await connection.ended())).toEqual([status, 200])
})
