import { getNumberFromEnv, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { cut, onceAMinute } from './log/log.ts'

export type Tracing = {
  /** The sampler of the root, with `parentbased_` before it if the sender of a request decides for its spans. */
  readonly sampler: `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`
  /** The part of the traces that `traceidratio` samples, from 0 to 1. */
  readonly ratio: number
  readonly serviceName: string
}

/**
 * Sends spans in the background. Its queue is limited (OTEL_BSP_MAX_QUEUE_SIZE), so an outage of the collector costs
 * only spans.
 */
export function createTracerProvider({ sampler, ratio, serviceName }: Tracing, logger: Logger): TracerProvider {
  reportFailures(logger)
  const named = resourceFromAttributes({ 'service.name': serviceName })
  const detectors = [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector]
  return new TracerProvider({
    resource: defaultResource().merge(named).merge(detectResources({ detectors })),
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batchOptions() })],
  })
}

/** The settings of batches in the standard's variables. */
function batchOptions() {
  const options = {
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function samplerOf(name: Tracing['sampler'], ratio: number): Sampler {
  const root = rootSampler(name, ratio)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: Tracing['sampler'], ratio: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler()
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio)
}

/** Logs at most one line a minute. The library itself reports nothing. */
function reportFailures(logger: Logger): void {
  const report = onceAMinute<string>((times, reason) =>
    logger.warn({ reason, times }, 'traces cannot be sent; the service works without them'),
  )
  setGlobalErrorHandler((error) => report(cut(error instanceof Error ? error.message : String(error))))
}
