import { describe, expect, test, vi } from 'vitest'
import { clientOf, problem } from './support/client.ts'
import { creation, rawConnection, requestBytes, stallReader, statusesIn } from './support/raw-connection.ts'
import { startHeldServer, startServer } from './support/server.ts'
import { stored } from './support/stored.ts'
import { jsonHeaders } from './support/tokens.ts'

describe('while the server closes', () => {
  test('requests in flight complete, new requests are 503, and idle connections close', async () => {
    const server = await startHeldServer()
    const silent = await rawConnection(server.port)
    const connection = await rawConnection(server.port)
    connection.write(creation)
    await server.begun
    const kept = await rawConnection(server.port)
    kept.write(requestBytes('GET', '/livez', {}))
    await kept.until(/\}$/)
    const closed = server.app.close()
    kept.write(creation)
    const refused = await kept.ended()
    expect(statusesIn(refused)).toEqual([200, 503])
    expect(refused).toContain('"code":"overloaded"')
    expect(refused).toMatch(/HTTP\/1\.1 503 [^{]*\r\nconnection: close/i)
    server.release()
    expect(statusesIn(await connection.ended())).toEqual([201])
    await closed
    await silent.ended()
    expect(await stored(server)).toEqual({ auctions: 1, bids: 0 })
  })

  test('it cannot start to drain', async () => {
    const server = await startHeldServer()
    const other = await rawConnection(server.port)
    const connection = await rawConnection(server.port)
    connection.write(creation)
    await server.begun
    const closed = server.app.close()
    // The phase changes in a hook.
    await vi.waitUntil(() => server.lifecycle.isDraining())
    server.lifecycle.drain()
    other.write(requestBytes('GET', '/api/Auctions', jsonHeaders))
    expect(statusesIn(await other.until(/\}$/))).toEqual([503])
    server.release()
    await closed
  })

  test('a request to the closed service is 503, and not logged as an error', async () => {
    const server = await startServer()
    await server.service.close()
    for (const late of [await clientOf(server).createAuction(), await clientOf(server).get('/api/Auctions/1')]) {
      expect(late).toMatchObject(problem(503, 'overloaded', { message: expect.stringContaining('shutting down') }))
    }
    expect(server.log.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  })

  test('a response that a client still reads is sent completely', async () => {
    const server = await startServer()
    const connection = await rawConnection(server.port)
    const sent = await stallReader(server, connection, requestBytes('GET', '/docs/swagger-ui-bundle.js', {}))
    const idle = await rawConnection(server.port)
    const closed = server.app.close()
    connection.socket.resume()
    let received = await connection.ended()
    let count = 0
    for (; received !== ''; count += 1) {
      const [head = '', ...rest] = received.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head.replaceAll('\r', ''))?.[1])
      const body = rest.join('\r\n\r\n')
      expect(body.length).toBeGreaterThanOrEqual(length)
      received = body.slice(length)
    }
    expect(count).toBe(sent)
    await idle.ended()
    await closed
  })
})
