import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createOpenApiDocument } from '../../src/openapi/document.ts'
import { readVersion } from '../../src/version.ts'
import { anonymousOf } from '../support/client.ts'
import { rawConnection, requestBytes } from '../support/raw-connection.ts'
import { startServer } from '../support/server.ts'
import { stallReader } from '../support/slow-reader.ts'

test('GET /openapi.json answers the document of this version, without a token', async () => {
  const anybody = anonymousOf(await startServer())
  const answer = await anybody.get('/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.body).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument(readVersion()))))
  const etag = answer.headers.get('etag') ?? ''
  const again = await anybody.send('GET', '/openapi.json', { headers: { 'if-none-match': etag } })
  expect(again).toMatchObject({ status: 304, text: '' })
})

test('GET /docs answers a page that takes everything from this server, and nothing from anywhere else', async () => {
  const anybody = anonymousOf(await startServer())
  const page = await anybody.get('/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  const parts = [...page.text.matchAll(/(?:src|href)="(?<path>docs\/[^"]+)"/g)].map(({ groups }) => groups?.['path'])
  expect(parts).toHaveLength(3)
  for (const path of parts) {
    const part = await anybody.get(`/${path}`)
    expect(part.status, path).toBe(200)
    expect(part.headers.get('content-type'), path).toMatch(/^text\/(css|javascript); charset=utf-8$/)
    expect(part.text.length, path).toBeGreaterThan(100)
  }
})

test('GET / sends a browser to the page, and answers 404 to other clients', async () => {
  const { url, ...server } = await startServer()
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const sent = await fetch(`${url}/`, { headers: { accept }, redirect: 'manual' })
  expect([sent.status, sent.headers.get('location')]).toEqual([302, 'docs'])
  const arrived = await fetch(`${url}/`, { headers: { accept } })
  expect([arrived.status, arrived.url]).toEqual([200, `${url}/docs`])
  for (const other of ['*/*', 'application/json']) {
    const answer = await anonymousOf({ url, ...server }).send('GET', '/', { headers: { accept: other } })
    expect(answer).toMatchObject({ status: 404, body: { code: 'not-found' } })
  }
})

const bundle = '/docs/swagger-ui-bundle.js'

test('a document is sent compressed to those who like that, under a tag of its own', async () => {
  const { port } = await startServer()
  const sizes: number[] = []
  const tags: string[] = []
  for (const accepted of ['identity', 'gzip;q=0, identity', 'br, gzip', '*']) {
    const connection = await rawConnection(port)
    const headers = { 'accept-encoding': accepted, connection: 'close' }
    connection.write(requestBytes('GET', bundle, headers))
    const [head = '', body = ''] = (await connection.ended()).split(/\r\n\r\n(.*)/s)
    const isCompressed = /^content-encoding: gzip\r?$/m.test(head)
    expect([accepted, isCompressed]).toEqual([accepted, accepted === 'br, gzip' || accepted === '*'])
    expect(head).toMatch(/^vary: Accept-Encoding\r?$/m)
    expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(body.length)
    const bytes = Buffer.from(body, 'latin1')
    sizes.push((isCompressed ? gunzipSync(bytes) : bytes).length)
    tags.push(/^etag: (.*?)\r?$/m.exec(head)?.[1] ?? '')
  }
  expect(new Set(sizes).size).toBe(1)
  expect(tags[0]).toBe(tags[1])
  expect(tags[2]).toBe(tags[3])
  expect(tags[0]).not.toBe(tags[2])
})

test('whoever loads documents again and again is told to wait, and nobody else', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_ANONYMOUS_MAX: '2' } })
  const anybody = anonymousOf(server)
  const first = await anybody.get('/docs')
  expect(first.headers.get('ratelimit')).toMatch(/^"documents";r=1;t=\d+$/)
  await anybody.get(bundle)
  const third = await anybody.get(bundle)
  expect(third).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
  expect(third.headers.get('retry-after')).toMatch(/^\d+$/)

  // Whoever has it is told so, whatever was sent before.
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  expect(await anybody.send('GET', '/docs', { headers })).toMatchObject({ status: 304 })
  // The limit of those without a token is another.
  const stranger = await anybody.get('/api/Auctions')
  expect(stranger.status).toBe(401)
  expect(stranger.headers.get('ratelimit')).toMatch(/^"anonymous";r=1;/)
})

test('documents that are not read count for nothing that others have not read', async () => {
  const server = await startServer({
    environment: { MAX_UNREAD_BYTES: '1000000', RATE_LIMIT_ANONYMOUS_MAX: '1000' },
  })
  const stalled = await Promise.all(Array.from({ length: 4 }, () => rawConnection(server.port)))
  let sent = 0
  for (const connection of stalled) sent += await stallReader(server, connection, requestBytes('GET', bundle, {}))
  expect(await anonymousOf(server).get('/livez')).toMatchObject({ status: 200 })
  for (const { socket } of stalled) socket.resume()
  await server.logged(/swagger-ui-bundle.*"status":200/, sent)
  expect(server.log.join('')).not.toContain('"unseen"')
  for (const { socket } of stalled) socket.destroy()
})
