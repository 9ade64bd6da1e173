import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TextFile } from '../../host/answers/served-file.ts'
import type { RateLimit } from '../../host/security/rate-limit/rate-limit.ts'
import type { pageFiles } from './page.ts'

/** The files that page.ts reads. It is loaded on the first request. */
const pagePaths = [
  '/docs',
  '/docs/start.js',
  '/docs/page.css',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
] as const satisfies readonly (keyof typeof pageFiles)[]

/** Adds the OpenAPI document and a page that shows it. Both are created on the first request. */
export function addDocuments(app: FastifyInstance, limit: RateLimit, hasAnonymousReads: boolean): void {
  addFile('/openapi.json', 'openapi', () => readOpenApi(hasAnonymousReads))
  for (const path of pagePaths) addFile(path, 'docs', async () => (await import('./page.ts')).pageFiles[path]())

  function addFile(url: string, operation: string, read: () => Promise<TextFile>): void {
    const sender = once(async () => {
      const { prepareFile, sendFile } = await import('../../host/answers/served-file.ts')
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

async function readOpenApi(hasAnonymousReads: boolean): Promise<TextFile> {
  const { createOpenApiDocument } = await import('../openapi/document.ts')
  const { readVersion } = await import('../../version.ts')
  return {
    text: JSON.stringify(createOpenApiDocument(readVersion(), hasAnonymousReads)),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }
}

/** Calls a function once, and again only if it fails. */
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
