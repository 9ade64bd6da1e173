import { expect, test } from 'vitest'
import { createOpenApiDocument } from '../../src/openapi/document.ts'
import { readVersion } from '../../src/version.ts'
import { anonymousOf } from '../support/client.ts'
import { startServer } from '../support/server.ts'

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
