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
import type { TraceSampler, Tracing } from '../../configuration/tracing.ts'
import { cut } from '../../log/cut.ts'
import { messageOf } from '../../log/message-of.ts'
import { reportEpisodes } from '../../log/report-episodes.ts'

/**
 * Makes what keeps spans and sends them in the background. What waits is bounded (OTEL_BSP_MAX_QUEUE_SIZE, 2048 if nothing is
 * said), so a collector that is away costs spans, and nothing else.
 */
export function createTracerProvider({ sampler, serviceName }: Tracing, logger: Logger): TracerProvider {
  reportFailures(logger)
  const named = resourceFromAttributes({ 'service.name': serviceName })
  const detectors = [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector]
  return new TracerProvider({
    resource: defaultResource().merge(named).merge(detectResources({ detectors })),
    sampler: samplerOf(sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batchOptions() })],
  })
}

/** What the standard's variables for batches say. */
function batchOptions() {
  const options = {
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function samplerOf({ kind, isParentBased, ratio }: TraceSampler): Sampler {
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const root = samplers[kind]()
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

/** One line when sending begins to fail, and one when it has not failed for a minute. The library itself would say nothing. */
function reportFailures(logger: Logger): void {
  let reason = ''
  const report = reportEpisodes(
    () => logger.warn({ reason }, 'traces can not be sent; the service goes on without them'),
    (times) => logger.info({ times }, 'for a minute, sending traces has not failed'),
  )
  setGlobalErrorHandler((error) => {
    reason = cut(messageOf(error))
    report()
  })
}
