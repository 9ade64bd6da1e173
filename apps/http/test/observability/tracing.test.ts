import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Child } from '../../../../tools/vitest/child.ts'
import { clientOf } from '../support/client.ts'
import { startCollector } from '../support/collector.ts'
import { startProcess, startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

const settings = { JWT_SECRET: secret, STORE: 'memory', OTEL_BSP_SCHEDULE_DELAY: '20' }
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const clientSpan = '00f067aa0ba902b7'
const traceparent = (flags = '01') => ({ traceparent: `00-${traceId}-${clientSpan}-${flags}` })

const times = { startTime: '2020-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z' }

async function startTraced(fields: object = {}, environment: Readonly<Record<string, string>> = {}) {
  const collector = await startCollector()
  const server = await startServerProcess({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment })
  const anna = clientOf(server)
  await anna.createAuction({ ...times, ...fields })
  return { collector, server, anna }
}

async function endedWell(server: Child): Promise<void> {
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
}

test('the span of a bid has the parent that the client has sent, and the append below it', async () => {
  const { collector, anna, server } = await startTraced()
  const placed = await anna.placeBid({}, { ...traceparent(), tracestate: 'vendor=1' })
  expect(placed.status).toBe(201)
  const spans = await collector.spans('POST /api/Bids')
  const bid = spans.find(({ name }) => name === 'POST /api/Bids')
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
    resource: { 'service.name': 'auction-service' },
  })
  const append = (await collector.spans('append')).find(({ name }) => name === 'append')
  expect(append).toMatchObject({
    traceId,
    parentSpanId: bid?.spanId,
    attributes: { 'auction.append.entries': 1, 'auction.append.outcome': 'stored' },
  })
  expect(append?.seconds).toBeLessThanOrEqual(bid?.seconds ?? 0)
  await endedWell(server)
})

test.each([
  ['a purchase', 'POST /api/Auctions/:id(.+)/Purchase', { buyNowPrice: 500 }, 'buyNow'],
  ['a cancellation', 'POST /api/Auctions/:id(.+)/Cancellation', {}, 'cancelAuction'],
] as const)('the span of %s has the append below it', async (_what, name, fields, operation) => {
  const { collector, anna, server } = await startTraced(fields)
  const answer = await (operation === 'buyNow' ? anna.buyNow() : anna.cancelAuction())
  expect(answer.status).toBe(201)
  await endedWell(server)
  const spans = await collector.spans('append')
  const request = spans.find((span) => span.name === name)
  expect(request?.attributes['auction.operation']).toBe(operation)
  expect(spans.filter((span) => span.name === 'append')).toMatchObject([{ parentSpanId: request?.spanId }])
})

test('bids that share an append have each the append below their own span', async () => {
  const { collector, anna, server } = await startTraced()
  const amounts = Array.from({ length: 20 }, (_, index) => 100 + 5 * index)
  const answers = await Promise.all(amounts.map((amount) => anna.placeBid({ amount })))
  const accepted = answers.filter(({ status }) => status === 201).length
  await endedWell(server)
  const spans = await collector.spans('append')
  const appends = spans.filter(({ name }) => name === 'append')
  const bids = spans.filter(
    ({ name, attributes }) => name === 'POST /api/Bids' && attributes['http.response.status_code'] === 201,
  )
  expect(appends.map(({ parentSpanId }) => parentSpanId).toSorted()).toEqual(
    bids.map(({ spanId }) => spanId).toSorted(),
  )
  expect(bids).toHaveLength(accepted)
})

test('a refusal has its code and is no error of the server; an unknown path makes no name', async () => {
  const { collector, anna, server } = await startTraced(
    {},
    {
      SERVICE_NAME: 'acme',
      PERMISSIONS_BIDS_CREATE: 'auction-service:Bids:Create',
      PERMISSIONS_AUCTIONS_CREATE: 'auction-service:Auctions:Create',
      OTEL_RESOURCE_ATTRIBUTES: 'team=sales',
    },
  )
  await anna.placeBid({ amount: 1 })
  await anna.get('/secret/17')
  await endedWell(server)
  const spans = await collector.spans('GET')
  expect(spans.find(({ name }) => name === 'POST /api/Bids')).toMatchObject({
    status: 'unset',
    parentSpanId: '',
    attributes: { 'http.response.status_code': 409, 'error.type': 'bid-too-low' },
    resource: { 'service.name': 'acme', team: 'sales' },
  })
  expect(spans.find(({ name }) => name === 'GET')).toMatchObject({
    attributes: { 'error.type': 'not-found', 'auction.operation': 'unknown' },
  })
})

test.each([
  ['a malformed one', { traceparent: '00-xyz-1-01' }],
  ['one of zeros', { traceparent: `00-${'0'.repeat(32)}-${clientSpan}-01` }],
])('of traceparent, %s begins a trace of its own', async (_what, headers) => {
  const { collector, anna, server } = await startTraced()
  await anna.placeBid({}, headers)
  await endedWell(server)
  const bid = (await collector.spans('POST /api/Bids')).find(({ name }) => name === 'POST /api/Bids')
  expect(bid?.parentSpanId).toBe('')
  expect(bid?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
})

test('a client that does not sample its request gets no span, and what a ratio leaves out does not either', async () => {
  const { collector, anna, server } = await startTraced()
  await anna.placeBid({}, traceparent('00'))
  await endedWell(server)
  expect((await collector.spans('POST /api/Auctions')).map(({ name }) => name)).toEqual(['POST /api/Auctions'])
})

/** Where traces are sent in vain. */
const deafCollectors: readonly (readonly [what: string, listen: (server: Server) => Server | undefined])[] = [
  ['is away', () => undefined],
  ['takes connections and says nothing', (server) => server],
  ['breaks connections', (server) => server.on('connection', (socket) => socket.destroy())],
]

test.each(deafCollectors)('a collector that %s holds up no request and not the end', async (_what, listen) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { readonly port: number } // It listens on a port.
  const collector = listen(other)
  if (collector === undefined) other.close()
  else onTestFinished(() => void collector.close())
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
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => anna.placeBid({ amount: 100 + 5 * index })),
  )
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
  await server.until(/traces can not be sent/)
  await endedWell(server)
  expect(server.stdout().match(/traces can not be sent/g)).toHaveLength(1)
  expect(server.stderr()).toBe('')
})

test.each([
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: must be otlp or none'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf',
  ],
  [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'jaeger' }, 'OTEL_TRACES_SAMPLER: must be always_on'],
  [
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
    'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1',
  ],
])('%o stops the start', async (environment, line) => {
  const server = startProcess({ ...settings, ...environment })
  expect(await server.exited()).toBe(1)
  expect(server.stderr()).toContain(line)
  expect(server.stderr().trimEnd().split('\n')).toHaveLength(1)
})

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
])('%o leaves tracing off', async (environment) => {
  const server = await startServerProcess({ ...settings, ...environment })
  expect((await clientOf(server).createAuction(times)).status).toBe(201)
  await endedWell(server)
  expect(server.stdout()).not.toContain('traces can not be sent')
})
