import type { FastifyInstance } from 'fastify'
import { serveFile } from '../../host/answers/served-file.ts'
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

/** Adds the OpenAPI document and a page that shows it. The module that creates them is loaded on the first request. */
export function addDocuments(app: FastifyInstance, limit: RateLimit, hasAnonymousReads: boolean): void {
  for (const path of paths) {
    const read = async () => (await import('./page.ts')).pageFiles[path](hasAnonymousReads)
    serveFile(app, path, path === '/openapi.json' ? 'openapi' : 'docs', read, limit)
  }
}
