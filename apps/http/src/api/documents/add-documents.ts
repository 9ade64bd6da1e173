import type { FastifyInstance } from 'fastify'
import { prepareFile, type ServedFile, sendFile } from '../../host/answers/served-file.ts'
import type { RateLimit } from '../../host/security/rate-limit/rate-limit.ts'
import type { pageFiles } from './page.ts'

const paths = [
  '/openapi.json',
  '/docs',
  '/docs/start.js',
  '/docs/page.css',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
] as const satisfies readonly (keyof typeof pageFiles)[]

/** Adds the OpenAPI document and a page that shows it. Each file is created on its first request. */
export function addDocuments(app: FastifyInstance, limit: RateLimit, hasAnonymousReads: boolean): void {
  for (const path of paths) {
    let prepared: Promise<ServedFile> | undefined

    async function prepare(): Promise<ServedFile> {
      try {
        const { pageFiles } = await import('./page.ts')
        return await prepareFile(await pageFiles[path](hasAnonymousReads))
      } catch (error) {
        prepared = undefined
        throw error
      }
    }

    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      config: { operation: path === '/openapi.json' ? 'openapi' : 'docs' },
      async handler(request, reply) {
        prepared ??= prepare()
        return sendFile(request, reply, await prepared, limit)
      },
    })
  }
}
