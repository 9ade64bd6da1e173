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

/** The features that a process has loaded after a request to create an auction, and after requests for documents. */
async function loadedWith(environment: Readonly<Record<string, string>>, status: number) {
  const server = await startServerProcess({ STORE: 'memory', ...environment, NODE_OPTIONS: `--import=${listing}` })
  const loaded = () =>
    Object.entries(optional).flatMap(([name, pattern]) => (pattern.test(server.stderr()) ? [name] : []))
  expect((await clientOf(server).createAuction()).status).toBe(status)
  await expect.poll(server.stderr).toContain('/src/build-server.ts')
  const atFirst = loaded()
  for (const path of ['/openapi.json', '/docs']) expect((await clientOf(server).get(path)).status).toBe(200)
  server.child.kill('SIGTERM')
  await server.exited()
  return [atFirst, loaded()]
}

test('optional modules are not loaded by default, and those of the documents by a request for them', async () => {
  expect(await loadedWith({ JWT_SECRET: secret }, 201)).toEqual([[], ['documents']])
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
  const set = ['metrics', 'traces', 'shared limits', 'other origins', 'key sets']
  expect(await loadedWith(settings, 401)).toEqual([set, [...set, 'documents']])
})
