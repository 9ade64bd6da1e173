import { createServer, type Server } from 'node:net'
import { expect, test } from 'vitest'
import type { Child } from '../../../../tools/vitest/child.ts'
import { listen } from '../../../../tools/vitest/listen.ts'
import { sampleOf } from '../../../../tools/vitest/size.ts'
import { readConfiguration } from '../../src/configuration/read-configuration.ts'
import { clientOf } from '../support/client.ts'
import { startCollector } from '../support/collector.ts'
import { startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

const settings = { JWT_SECRET: secret, STORE: 'memory', OTEL_BSP_SCHEDULE_DELAY: '20' }
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const clientSpan = '00f067aa0ba902b7'
const traceparent = (flags = '01') => ({ traceparent: `00-${traceId}-${clientSpan}-${flags}` })

const times = { startTime: '2020-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z' }

async function endedWell(server: Child): Promise<void> {
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
}

test('spans have the parent that the client sent, a refusal is not an error, and an unknown path has no name', async () => {
  const collector = await startCollector()
  const server = await startServerProcess({
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: 'team=sales',
    SERVICE_NAME: 'acme',
    PERMISSIONS_BIDS_CREATE: 'auction-service:Bids:Create',
    PERMISSIONS_AUCTIONS_CREATE: 'auction-service:Auctions:Create',
  })
  const anna = clientOf(server)
  await anna.createAuction(times)
  const placed = await anna.placeBid({}, { ...traceparent(), tracestate: 'vendor=1' })
  expect(placed.status).toBe(201)
  // The server exports spans while it runs, not only at the end.
  const bid = (await collector.spans('POST /api/Bids')).find(({ name }) => name === 'POST /api/Bids')
  expect(bid).toMatchObject({
    traceId,
    parentSpanId: clientSpan,
    status: 'unset',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/Bids',
      'http.response.status_code': 201,
      'url.path': '/api/Bids',
      'auction.request.id': placed.headers.get('x-request-id'),
    },
    resource: { 'service.name': 'acme', team: 'sales' },
  })
  expect(bid?.seconds).toBeGreaterThan(0)

  const invalid = ['00-xyz-1-01', `00-${'0'.repeat(32)}-${clientSpan}-01`]
  for (const value of invalid) await anna.placeBid({ amount: 1 }, { traceparent: value })
  await anna.placeBid({}, traceparent('00'))
  await anna.get('/secret/17')
  await anna.send('OPTIONS', '/api/Bids')
  await endedWell(server)
  const spans = await collector.spans('GET')
  // The request that its client does not sample has no span.
  const refused = spans.filter(({ name, attributes }) => name === 'POST /api/Bids' && 'error.type' in attributes)
  expect(refused).toHaveLength(invalid.length)
  for (const span of refused) {
    expect(span).toMatchObject({
      status: 'unset',
      parentSpanId: '',
      traceId: expect.stringMatching(/^(?!0{32})[0-9a-f]{32}$/),
      attributes: { 'http.response.status_code': 409, 'error.type': 'bid-too-low' },
    })
  }
  expect(spans.find(({ name }) => name === 'GET')).toMatchObject({
    attributes: { 'error.type': 'not-found', 'auction.operation': 'unknown' },
  })
  expect(spans.find(({ name }) => name === 'OPTIONS')?.attributes).toMatchObject({ 'auction.operation': 'options' })
})

/** Collectors that accept no traces. */
const brokenCollectors: readonly (readonly [what: string, prepare: (server: Server) => unknown])[] = [
  ['does not respond', () => undefined],
  ['does not listen', (server) => server.close()],
  ['closes connections', (server) => server.on('connection', (socket) => socket.destroy())],
]

test.each(sampleOf(brokenCollectors))(
  'a collector that %s delays neither requests nor the end of the process',
  async (_what, prepare) => {
    const other = createServer()
    const port = await listen(other)
    prepare(other)
    const server = await startServerProcess({
      ...settings,
      RATE_LIMIT_MAX: '100000',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
      OTEL_BSP_EXPORT_TIMEOUT: '200',
    })
    const anna = clientOf(server)
    await anna.createAuction(times)
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => anna.placeBid({ amount: 100 + 5 * index })),
    )
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
    await server.until(/traces cannot be sent/)
    await endedWell(server)
    expect(server.stdout().match(/traces cannot be sent/g)).toHaveLength(1)
    expect(server.stderr()).toBe('')
  },
)

const read = (environment: Readonly<Record<string, string>>) =>
  readConfiguration({ ...settings, ...environment }, () => '')

test.each([
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER (environment): must be otlp or none'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT (environment): must be a URL'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL (environment): must be http/protobuf',
  ],
  [
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'jaeger' },
    'OTEL_TRACES_SAMPLER (environment): must be one of always_on',
  ],
  [
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
    'OTEL_TRACES_SAMPLER_ARG (environment): must be a number from 0 to 1',
  ],
])('%o is refused', (environment, line) => {
  expect(read(environment)).toMatchObject({ ok: false, faults: [expect.stringContaining(line)] })
})

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
])('%o leaves tracing off', (environment) => {
  const reading = read(environment)
  expect(reading.ok && reading.configuration.tracing).toBeUndefined()
})
