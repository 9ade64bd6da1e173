import { once } from 'node:events'
import { createServer } from 'node:http'
import protobuf from 'protobufjs'
import { listen } from '../../../../tools/vitest/listen.ts'

/** A span as a collector receives it, with its ids in hexadecimal. */
type ReceivedSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly status: string
  readonly seconds: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
}

/** The members of the protocol (opentelemetry-proto, trace/v1) that tests read. Numbers are those of the standard. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; Status status = 15;
  }
  message Status { int32 code = 3; }
  message KeyValue { string key = 1; Value value = 2; }
  message Value { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`)
const Request = root.lookupType('Request')

export type Collector = {
  readonly url: string
  /** All received spans, once at least one has this name. */
  spans(name: string): Promise<readonly ReceivedSpan[]>
}

/** A collector of traces, with the part of OTLP over HTTP that receives them. */
export async function startCollector(): Promise<Collector> {
  const received: ReceivedSpan[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push(...spansIn(Buffer.concat(chunks)))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    server.emit('received')
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    async spans(name) {
      while (!received.some((span) => span.name === name)) await once(server, 'received')
      return received
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: decoded messages have the form above.
type Message = any

function spansIn(bytes: Buffer): readonly ReceivedSpan[] {
  const { resourceSpans }: Message = Request.toObject(Request.decode(bytes), {
    longs: Number,
    bytes: Buffer,
    arrays: true,
    defaults: true,
  })
  return resourceSpans.flatMap(({ resource, scopeSpans }: Message) =>
    scopeSpans.flatMap(({ spans }: Message) => spans.map((span: Message) => spanOf(span, resource))),
  )
}

const statuses = ['unset', 'ok', 'error']

const spanOf = (span: Message, resource: Message): ReceivedSpan => ({
  traceId: span.traceId.toString('hex'),
  spanId: span.spanId.toString('hex'),
  parentSpanId: span.parentSpanId.toString('hex'),
  name: span.name,
  status: statuses[span.status?.code ?? 0] ?? '',
  seconds: (span.endTimeUnixNano - span.startTimeUnixNano) / 1e9,
  attributes: attributesOf(span.attributes),
  resource: attributesOf(resource.attributes),
})

const attributesOf = (pairs: Message): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }: Message) => [key, Object.values(value)[0]]))
