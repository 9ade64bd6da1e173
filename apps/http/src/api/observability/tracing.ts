import { cut } from '@auction/host/log'
import { codeOf } from '@auction/host/responses'
import { operationOf, pathOf } from '@auction/host/server'
import { within } from '@auction/host/time'
import { createTracerProvider, type Tracing } from '@auction/host/tracing'
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Instrument } from './instrument.ts'

const flushMs = 2_000

/** OpenTelemetry traces: a span per request. */
export function createTracingInstrument(tracing: Tracing, logger: Logger): Instrument {
  const provider = createTracerProvider(tracing, logger)
  const tracer = provider.getTracer('auction-service')
  return {
    httpObserver: {
      onRequest(request, reply) {
        const span = startSpan(tracer, request)
        return span.isRecording() ? () => endSpan(span, reply) : ignore
      },
    },
    // The shutdown fails if the collector does not respond, which the exporter logs.
    close: async () => void (await within(flushMs, provider.shutdown().catch(ignore))),
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
