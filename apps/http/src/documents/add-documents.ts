import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders } from '../answers/common-headers.ts'
import { sendTagged } from '../answers/tagged.ts'
import type { PagePath, ServedFile } from './page.ts'

/** What page.ts reads, which is not loaded before somebody asks. */
const pagePaths = [
  '/docs',
  '/docs/start.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
] as const satisfies readonly PagePath[]

/**
 * Adds what tells of the API, for whoever asks: its OpenAPI document, and a page to read that and to try it. Nothing of it is made or
 * read before somebody asks.
 */
export function addDocuments(app: FastifyInstance): void {
  const openApi = once(readOpenApi)
  app.get('/openapi.json', { config: { operation: 'openapi' } }, async (request, reply) =>
    serve(request, reply, await openApi()),
  )
  for (const path of pagePaths) {
    const file = once(async () => (await import('./page.ts')).readPageFile(path))
    app.get(path, { config: { operation: 'docs' } }, async (request, reply) => serve(request, reply, await file()))
  }
}

async function readOpenApi(): Promise<ServedFile> {
  const { createOpenApiDocument } = await import('../openapi/document.ts')
  const { readVersion } = await import('../version.ts')
  return { body: JSON.stringify(createOpenApiDocument(readVersion())), headers: { 'content-type': 'application/json' } }
}

// For everybody the same, until the next release.
const serve = (request: FastifyRequest, reply: FastifyReply, { body, headers }: ServedFile): FastifyReply =>
  sendTagged(request, reply, body, { ...commonHeaders, 'cache-control': 'no-cache', ...headers })

/** Calls a function the first time only, and again if that has failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
