import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createAsyncApiDocument } from '../../src/api/asyncapi/document.ts'
import { createOpenApiDocument } from '../../src/api/openapi/document.ts'
import { readVersion } from '../../src/version.ts'
import { anonymousOf } from '../support/client.ts'
import { rawConnection, requestBytes } from '../support/raw-connection.ts'
import { serverOfFile, startServer } from '../support/server.ts'

const server = await serverOfFile()
const anonymous = anonymousOf(server)

test.each([
  ['/openapi.json', createOpenApiDocument],
  ['/asyncapi.json', createAsyncApiDocument],
])('GET %s returns the document of this version, without a token', async (path, createDocument) => {
  const response = await anonymous.get(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.body).toEqual(JSON.parse(JSON.stringify(createDocument(readVersion()))))
  const etag = response.headers.get('etag') ?? ''
  const again = await anonymous.send('GET', path, { headers: { 'if-none-match': etag } })
  expect(again).toMatchObject({ status: 304, text: '' })
})

test('GET /docs returns a page that loads files of this server only', async () => {
  const page = await anonymous.get('/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  const parts = [...page.text.matchAll(/(?:src|href)="(?<path>docs\/[^"]+)"/g)].map(({ groups }) => groups?.['path'])
  expect(parts).toHaveLength(4)
  for (const path of parts) {
    const part = await anonymous.get(`/${path}`)
    expect(part.status, path).toBe(200)
    expect(part.headers.get('content-type'), path).toMatch(/^text\/(css|javascript); charset=utf-8$/)
    expect(part.text.length, path).toBeGreaterThan(100)
  }
})

test('without the page, GET / redirects browsers to /docs, and is 404 for other clients', async () => {
  const { url } = await startServer({ environment: { PAGE: 'off' } })
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const sent = await fetch(`${url}/`, { headers: { accept }, redirect: 'manual' })
  expect([sent.status, sent.headers.get('location')]).toEqual([302, 'docs'])
  const arrived = await fetch(`${url}/`, { headers: { accept } })
  expect([arrived.status, arrived.url]).toEqual([200, `${url}/docs`])
  for (const other of ['*/*', 'application/json']) {
    const response = await anonymousOf({ url }).send('GET', '/', { headers: { accept: other } })
    expect(response).toMatchObject({ status: 404, body: { code: 'not-found' } })
  }
})

const bundle = '/docs/swagger-ui-bundle.js'

test('a document is compressed if the client prefers that, with its own entity tag', async () => {
  const sizes: number[] = []
  const tags: string[] = []
  for (const accepted of ['identity', 'gzip;q=0, identity', 'br, gzip', '*']) {
    const connection = await rawConnection(server.port)
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

test('documents have their own limit per address', async () => {
  const limited = anonymousOf(await startServer({ environment: { RATE_LIMIT_ANONYMOUS_MAX: '2' } }))
  const first = await limited.get('/docs')
  expect(first.headers.get('ratelimit')).toMatch(/^"documents";r=1;t=\d+$/)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  expect(await limited.send('GET', '/docs', { headers })).toMatchObject({ status: 304 })
  const third = await limited.get(bundle)
  expect(third).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
  expect(third.headers.get('retry-after')).toMatch(/^\d+$/)

  // Requests without a token have a separate limit.
  const stranger = await limited.get('/api/Auctions')
  expect(stranger.status).toBe(401)
  expect(stranger.headers.get('ratelimit')).toMatch(/^"anonymous";r=1;/)
})
