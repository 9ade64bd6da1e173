import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { css, javascript, pageWith, type TextFile } from '../../host/answers/served-file.ts'
import { readVersion } from '../../version.ts'
import { createOpenApiDocument } from '../openapi/document.ts'
import { script } from './page-script.ts'
import { styles } from './page-styles.ts'

const readAsset = async (url: string, headers: TextFile['headers']): Promise<TextFile> => ({
  text: await readFile(fileURLToPath(url), 'utf8'),
  headers,
})

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

export const pageFiles = {
  '/openapi.json': async (hasAnonymousReads) => ({
    text: JSON.stringify(createOpenApiDocument(readVersion(), hasAnonymousReads)),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }),
  '/docs': async () => ({ text: page, headers: pageWith(policy) }),
  '/docs/start.js': async () => ({ text: script, headers: javascript }),
  '/docs/page.css': async () => ({ text: styles, headers: css }),
  '/docs/swagger-ui.css': () => readAsset(import.meta.resolve('swagger-ui-dist/swagger-ui.css'), css),
  '/docs/swagger-ui-bundle.js': () =>
    readAsset(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'), javascript),
} satisfies Readonly<Record<string, (hasAnonymousReads: boolean) => Promise<TextFile>>>
