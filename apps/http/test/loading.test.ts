import { expect, test } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { clientOf } from './support/client.ts'
import { startServerProcess } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

/** Optional features, by patterns of the URLs of their modules. */
const optional = {
  metrics: /prom-client|observability\/metrics/,
  traces: /@opentelemetry|observability\/tracing/,
  'shared limits': /ioredis|shared-counters/,
  'other origins': /@fastify[/+]cors/,
  'key sets': /security\/key-set|node_modules\/jose/,
  'JSON Schema': /node_modules\/ajv\//,
  documents: /swagger-ui|documents\/page|api\/openapi|to-json-schema/,
}

/** Makes the process write the URL of each loaded module to standard error. */
const listing = `data:text/javascript,${encodeURIComponent(
  "import{registerHooks}from'node:module';registerHooks({load(url,c,n){process.stderr.write(url+'\\n');return n(url,c)}})",
)}`

/** The features that a process has loaded after a request to create an auction and requests for `paths`. */
async function loadedWith(
  environment: Readonly<Record<string, string>>,
  status: number,
  paths: readonly string[] = [],
): Promise<readonly string[]> {
  const server = await startServerProcess({
    STORE: 'memory',
    ...environment,
    NODE_OPTIONS: `--import=${listing}`,
  })
  expect((await clientOf(server).createAuction()).status).toBe(status)
  for (const path of paths) expect((await clientOf(server).get(path)).status).toBe(200)
  server.child.kill('SIGTERM')
  await server.exited()
  const modules = server.stderr()
  expect(modules).toContain('/src/build-server.ts')
  return Object.entries(optional).flatMap(([name, pattern]) => (pattern.test(modules) ? [name] : []))
}

test('optional modules are not loaded by default', async () => {
  expect(await loadedWith({ JWT_SECRET: secret }, 201)).toEqual([])
})

longTest('a setting loads its modules', async () => {
  // Nothing listens on port 1.
  const nowhere = '127.0.0.1:1'
  const settings = {
    ADMIN_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${nowhere}`,
    RATE_LIMIT_REDIS_URL: `redis://${nowhere}`,
    CORS_ORIGINS: 'https://shop.example',
    JWT_JWKS_URL: `http://${nowhere}/keys`,
  }
  expect(await loadedWith(settings, 401)).toEqual(['metrics', 'traces', 'shared limits', 'other origins', 'key sets'])
})

test('a request for the documents loads them', async () => {
  expect(await loadedWith({ JWT_SECRET: secret }, 201, ['/openapi.json', '/docs'])).toEqual(['documents'])
})
