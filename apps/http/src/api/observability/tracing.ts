import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppendEnd, AppendStart } from '@auction/domain'
import type { AuctionId, BidId } from '@auction/domain/ids'
import type { Result } from '@auction/domain/result'
import type { Entry } from '@auction/domain/store'
import { codeOf } from '@auction/host/answers'
import { cut } from '@auction/host/cut'
import { operationOf, pathOf } from '@auction/host/server'
import { createTracerProvider, type Tracing } from '@auction/host/tracing'
import {
  type Attributes,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Instrument } from './load-observability.ts'

const flushMs = 2_000

/** OpenTelemetry traces: a span per request, with a child span for the append of its bid, purchase or cancellation. */
export function createTracingInstrument(tracing: Tracing, logger: Logger): Instrument {
  const provider = createTracerProvider(tracing, logger)
  const tracer = provider.getTracer('auction-service')
  const spans = new WeakMap<FastifyRequest, Span>()
  const current = new AsyncLocalStorage<Span>()
  const appends = createAppendSpans(tracer)

  const traced =
    <Values extends unknown[], Value, Refusal>(
      useCase: (...values: Values) => Promise<Result<Value, Refusal>>,
      storedAs: (value: Value) => StoredAs,
    ) =>
    async (...values: Values) => {
      const result = await useCase(...values)
      const span = current.getStore()
      if (result.ok && span !== undefined) appends.addTo(span, storedAs(result.value))
      return result
    }

  return {
    observer: { onAppend: appends.onAppend },
    watch: {
      // After the body: events of the connection lose the context of the request.
      addTo: (app) =>
        app.addHook('preHandler', (request, _reply, done) => {
          const span = spans.get(request)
          if (span === undefined) done()
          else current.run(span, done)
        }),
      onRequest(request, reply) {
        const span = startSpan(tracer, request)
        if (!span.isRecording()) return ignore
        spans.set(request, span)
        return () => endSpan(span, reply)
      },
    },
    observe: (service) => ({
      ...service,
      placeBid: traced(service.placeBid, ({ id }) => id),
      buyNow: traced(service.buyNow, ({ auction }) => `end of ${auction.id}`),
      cancelAuction: traced(service.cancelAuction, ({ auction }) => `end of ${auction.id}`),
    }),
    // The shutdown fails if the collector does not respond, which the exporter logs.
    close: () => Promise.race([provider.shutdown().catch(ignore), sleep(flushMs, undefined, { ref: false })]),
  }
}

const ignore = (): void => undefined

const propagator = new W3CTraceContextPropagator()

/** The span of a request. Its parent is the span in the `traceparent` header, if any. */
function startSpan(tracer: Tracer, request: FastifyRequest): Span {
  const { method, id, url, headers, routeOptions } = request
  const operation = operationOf(request)
  const isKnown = routeOptions.config.operation !== undefined
  const attributes = {
    'http.request.method': method,
    'url.scheme': 'http',
    'url.path': cut(pathOf(url)),
    'auction.operation': operation,
    'auction.request.id': id,
    ...(isKnown && routeOptions.url !== undefined && { 'http.route': routeOptions.url }),
  }
  const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
  // OpenTelemetry requires span names of low cardinality.
  const name = isKnown ? `${method} ${routeOptions.url}` : method
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
}

function endSpan(span: Span, { raw, statusCode, problem }: FastifyReply): void {
  if (raw.headersSent) span.setAttribute('http.response.status_code', statusCode)
  if (!raw.writableFinished) span.setAttribute('auction.response.unseen', true)
  if (problem !== undefined) span.setAttribute('error.type', codeOf(problem))
  // An error of the client is not an error of the server.
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

type Append = { readonly startMs: number; readonly endMs: number; readonly attributes: Attributes }

// Closings and bids without a trace are never removed by a request.
const maxKept = 10_000

/** The key of an append: the id of its bid, or that of the auction that it ended, because an auction ends once. */
type StoredAs = BidId | `end of ${AuctionId}`

const storedAs = ({ id, auctionId, event }: Entry): StoredAs =>
  event.type === 'bought' || event.type === 'cancelled' ? `end of ${auctionId}` : id

/** Remembers the append of each recent entry: one append belongs to the trace of every bid in it. */
function createAppendSpans(tracer: Tracer) {
  const kept = new LRUCache<StoredAs, Append>({ max: maxKept })
  return {
    onAppend({ entries }: AppendStart) {
      const startMs = nowMs()
      return (end: AppendEnd) => {
        const attributes = { 'auction.append.entries': entries.length, 'auction.append.outcome': end.outcome }
        const append = { startMs, endMs: nowMs(), attributes }
        const stored = end.outcome === 'conflict' ? entries.slice(0, end.stored) : entries
        for (const entry of stored) kept.set(storedAs(entry), append)
      }
    },
    /** Adds a span for the append of an entry to the span of its request. */
    addTo(span: Span, stored: StoredAs): void {
      const append = kept.get(stored)
      if (append === undefined) return
      kept.delete(stored)
      const { startMs, endMs, attributes } = append
      const options = { kind: SpanKind.CLIENT, startTime: startMs, attributes }
      tracer.startSpan('append', options, trace.setSpan(ROOT_CONTEXT, span)).end(endMs)
    },
  }
}

/** Milliseconds since 1970, with fractions. */
const nowMs = (): number => performance.timeOrigin + performance.now()
