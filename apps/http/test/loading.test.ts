import { expect, test } from 'vitest'
import { clientOf } from './support/client.ts'
import { startServerProcess } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

/** What is off by default, by what its modules have in their addresses. */
const optional = {
  metrics: /prom-client|observability\/metrics/,
  traces: /@opentelemetry|observability\/tracing/,
  'shared limits': /ioredis|@fastify[/+]rate-limit|shared-counts/,
  'other origins': /@fastify[/+]cors/,
  'key sets': /security\/key-set/,
  'trial users': /startup-message/,
  documents: /swagger-ui|documents\/page|src\/openapi|to-json-schema/,
}

/** Has the process write the address of each module that it loads on standard error. */
const listing = `data:text/javascript,${encodeURIComponent(
  "import{registerHooks}from'node:module';registerHooks({load(url,c,n){process.stderr.write(url+'\\n');return n(url,c)}})",
)}`

/** Which of them a process with these settings has loaded when it has refused or created an auction, and answered for these paths. */
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
  expect(modules).toContain('/server/build-server.ts')
  return Object.entries(optional).flatMap(([name, pattern]) => (pattern.test(modules) ? [name] : []))
}

test('what no setting asks for is not loaded', async () => {
  expect(await loadedWith({ JWT_SECRET: secret }, 201)).toEqual([])
})

test('what a setting asks for is loaded', async () => {
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

test('what somebody asks for is loaded then', async () => {
  // Without a key, the process signs by a secret of its own.
  expect(await loadedWith({}, 401, ['/openapi.json', '/docs'])).toEqual(['trial users', 'documents'])
})
