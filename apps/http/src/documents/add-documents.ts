import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LimitDocuments } from '../security/rate-limit/document-limit.ts'
import type { PagePath } from './page.ts'
import type { TextFile } from './served-file.ts'

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
export function addDocuments(app: FastifyInstance, limit: LimitDocuments): void {
  addFile('/openapi.json', 'openapi', readOpenApi)
  for (const path of pagePaths) addFile(path, 'docs', async () => (await import('./page.ts')).readPageFile(path))

  function addFile(url: string, operation: string, read: () => Promise<TextFile>): void {
    const sender = once(async () => {
      const { prepareFile, sendFile } = await import('./served-file.ts')
      const file = await prepareFile(await read())
      return (request: FastifyRequest, reply: FastifyReply) => sendFile(request, reply, file, limit)
    })
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { operation },
      handler: async (request, reply) => (await sender())(request, reply),
    })
  }
}

async function readOpenApi(): Promise<TextFile> {
  const { createOpenApiDocument } = await import('../openapi/document.ts')
  const { readVersion } = await import('../version.ts')
  return {
    text: JSON.stringify(createOpenApiDocument(readVersion())),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }
}

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
