import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { css, javascript, pageWith, serveFile, type TextFile } from '../../host/answers/served-file.ts'
import type { RateLimit } from '../../host/security/rate-limit/rate-limit.ts'
import { readVersion } from '../../version.ts'

// Users paste tokens into this page, so it uses only this server. The style sheet of Swagger UI contains images.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// URLs are relative, because a proxy may serve the API under a path prefix.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Auction service: the API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <div id="api"></div>
    <noscript>This page requires JavaScript. See <a href="openapi.json">the OpenAPI document</a> instead.</noscript>
  </body>
</html>
`

const json = { 'content-type': 'application/json; charset=utf-8' }

/** Adds the OpenAPI document and a page that shows it. What creates them is loaded on the first request. */
export function addDocuments(app: FastifyInstance, limit: RateLimit, hasAnonymousReads: boolean): void {
  const add = (url: string, operation: string, headers: TextFile['headers'], read: () => Promise<string>) =>
    serveFile(app, url, operation, async () => ({ text: await read(), headers }), limit)

  add('/openapi.json', 'openapi', json, async () => {
    const { createOpenApiDocument } = await import('../openapi/document.ts')
    return JSON.stringify(createOpenApiDocument(readVersion(), hasAnonymousReads))
  })
  add('/docs', 'docs', pageWith(policy), async () => page)
  add('/docs/start.js', 'docs', javascript, async () => (await import('./page-script.ts')).script)
  add('/docs/page.css', 'docs', css, async () => (await import('./page-styles.ts')).styles)
  add('/docs/swagger-ui.css', 'docs', css, () => readAsset(import.meta.resolve('swagger-ui-dist/swagger-ui.css')))
  add('/docs/swagger-ui-bundle.js', 'docs', javascript, () =>
    readAsset(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  )
}

const readAsset = (url: string): Promise<string> => readFile(fileURLToPath(url), 'utf8')
