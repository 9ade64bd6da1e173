import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { css, javascript, pageWith, serveFile } from '@auction/host/answers'
import type { RateLimit } from '@auction/host/security'
import type { FastifyInstance } from 'fastify'
import { readVersion } from '../../version.ts'

// Users paste tokens into this page, so it uses only this server. The style sheet of Swagger UI contains images.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const json = { 'content-type': 'application/json; charset=utf-8' }

/** The files of the page by their URLs, each with its headers and a function that finds it. */
const files = [
  ['/docs', pageWith(policy), () => import.meta.resolve('@auction/web/reference/index.html')],
  ['/docs/start.js', javascript, () => import.meta.resolve('@auction/web/reference/start.js')],
  ['/docs/page.css', css, () => import.meta.resolve('@auction/web/reference/page.css')],
  ['/docs/swagger-ui.css', css, () => import.meta.resolve('swagger-ui-dist/swagger-ui.css')],
  ['/docs/swagger-ui-bundle.js', javascript, () => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')],
] as const

/** Adds the OpenAPI document, and a page that shows it with Swagger UI. The document is created and the files are read on the first request. */
export function addDocuments(app: FastifyInstance, limit: RateLimit, hasAnonymousReads: boolean): void {
  const createDocument = async () => {
    const { createOpenApiDocument } = await import('../openapi/document.ts')
    return { text: JSON.stringify(createOpenApiDocument(readVersion(), hasAnonymousReads)), headers: json }
  }
  serveFile(app, '/openapi.json', 'openapi', createDocument, limit)
  for (const [url, headers, find] of files) {
    const read = async () => ({ text: await readFile(fileURLToPath(find()), 'utf8'), headers })
    serveFile(app, url, 'docs', read, limit)
  }
}
