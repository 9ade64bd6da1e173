import { describe, expect, test } from 'vitest'
import { newAuction } from './support/client.ts'
import { creation, exchange, rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { serverOfFile } from './support/server.ts'
import { stored } from './support/stored.ts'
import { jsonHeaders } from './support/tokens.ts'

const server = await serverOfFile()
const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

describe('raw bytes:', () => {
  test.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', 'BID / HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
    ['an unknown version', 'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost localhost\r\n\r\n', 400],
    [
      'no Host',
      `GET /api/Auctions HTTP/1.1\r\nauthorization: ${jsonHeaders.authorization}\r\nconnection: close\r\n\r\n`,
      400,
    ],
    [
      'a length that is not a number',
      requestBytes('POST', '/api/Bids', { ...jsonHeaders, 'content-length': 'x' }),
      400,
    ],
    [
      'a length and chunks',
      requestBytes('POST', '/api/Bids', { ...jsonHeaders, 'content-length': '2', 'transfer-encoding': 'chunked' }),
      400,
    ],
    [
      'an invalid chunk',
      `${requestBytes('POST', '/api/Bids', { ...jsonHeaders, 'transfer-encoding': 'chunked' })}zz\r\n{}\r\n0\r\n\r\n`,
      400,
    ],
    ['a path that is too long', requestBytes('GET', `/${'x'.repeat(20_000)}`, {}), 431],
    ['CONNECT', requestBytes('CONNECT', 'localhost:80', {}), 400],
  ])('%s is a problem, and the connection closes', async (_what, bytes, status) => {
    const before = await stored(server)
    const received = await exchange(server.port, bytes)
    expect(statusesIn(received)).toEqual([status])
    expect(received.toLowerCase()).toContain('content-type: application/problem+json\r\n')
    expect(received).toMatch(/x-request-id: \S+/)
    for (const [name, value] of Object.entries(common)) expect(received).toContain(`\r\n${name}: ${value}\r\n`)
    expect(received).toContain('"code":"bad-request"')
    expect(await stored(server)).toEqual(before)
  })

  test.each([
    ['two hosts', 'GET /livez HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
    ['the same host twice', 'GET /livez HTTP/1.1\r\nhost: a\r\nHost: a\r\nconnection: close\r\n\r\n'],
    ['a host with a space', requestBytes('GET', '/livez', { host: 'a b', connection: 'close' })],
    ['a host with a slash', requestBytes('GET', '/livez', { host: 'a/b', connection: 'close' })],
    [
      'a transfer encoding of gzip',
      `${requestBytes('POST', '/api/Auctions', { ...jsonHeaders, 'transfer-encoding': 'gzip, chunked', connection: 'close' })}2\r\n{}\r\n0\r\n\r\n`,
    ],
  ])('%s is 400', async (_what, bytes) => {
    const received = await exchange(server.port, bytes)
    expect(statusesIn(received)).toEqual([400])
    expect(received).toContain('"code":"bad-request"')
  })

  test.each(['localhost', 'a.example:80', '[::1]:3000', ''])('the host %j is valid', async (host) => {
    const request = requestBytes('GET', '/livez', { host, connection: 'close' })
    expect(statusesIn(await exchange(server.port, request))).toEqual([200])
  })

  test('a body with two content types is 415', async () => {
    const before = await stored(server)
    const headers = { ...jsonHeaders, 'Content-Type': 'text/plain', connection: 'close' }
    const request = requestBytes('POST', '/api/Auctions', headers, JSON.stringify(newAuction))
    expect(await exchange(server.port, request)).toMatch(/^HTTP\/1\.1 415 [\s\S]*"code":"unsupported-media-type"/)
    expect(await stored(server)).toEqual(before)
  })

  test.each([
    ['DELETE', 'http://shop.example/api/Bids?x=1', 405],
    ['OPTIONS', 'https://shop.example/api/bids', 204],
    ['DELETE', '/api/Bids#%zz', 405],
    ['DELETE', '/api/Bids?%zz', 405],
    ['DELETE', '/api/Bids/%2F', 405],
    ['DELETE', '/api/Bids/%zz', 400],
    ['OPTIONS', '/api/Bids/%zz', 400],
    ['DELETE', 'http://shop.example', 405],
    ['PATCH', 'http://shop.example/api/Auctions/Events', 405],
    ['PATCH', '/api/Auctions/%45vents', 405],
    ['GET', '/api/Auctions/%0a', 404],
    ['GET', '*livez', 404],
    ['PATCH', '*api/Auctions/Events', 404],
    ['DELETE', '/api/Bids/1/2', 404],
  ])('%s %s is %i', async (method, url, status) => {
    const request = requestBytes(method, url, { connection: 'close' })
    expect(statusesIn(await exchange(server.port, request))).toEqual([status])
  })

  test('OPTIONS * lists the methods of the server', async () => {
    const connection = await rawConnection(server.port)
    connection.write(requestBytes('OPTIONS', '*', {}))
    await connection.until(/\r\n\r\n$/)
    connection.write(requestBytes('GET', '*', { connection: 'close' }))
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([204, 404])
    const headers = { ...common, allow: 'GET, HEAD, OPTIONS, PATCH, POST, PUT' }
    for (const [name, value] of Object.entries(headers)) expect(received).toContain(`\r\n${name}: ${value}\r\n`)
  })

  test('a body that ends too early changes nothing', async () => {
    const before = await stored(server)
    const connection = await rawConnection(server.port)
    connection.write(creation.slice(0, -1))
    connection.socket.end()
    await connection.ended()
    expect(await stored(server)).toEqual(before)
  })

  test('an unknown expectation is ignored, and 100-continue works', async () => {
    const body = JSON.stringify(newAuction)
    for (const [expect_, statuses] of [
      ['the-spanish-inquisition', [201]],
      ['100-continue', [100, 201]],
    ] as const) {
      const connection = await rawConnection(server.port)
      connection.write(
        requestBytes('POST', '/api/Auctions', { ...jsonHeaders, connection: 'close', expect: expect_ }, body),
      )
      expect(statusesIn(await connection.ended())).toEqual(statuses)
    }
  })
})
