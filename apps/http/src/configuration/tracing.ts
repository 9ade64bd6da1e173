import * as v from 'valibot'
import { httpUrl } from './value-checks.ts'

const protocol = v.optional(v.literal('http/protobuf', 'must be http/protobuf, which collectors accept on port 4318'))
const roots = ['always_on', 'always_off', 'traceidratio'] as const
const samplers = [...roots, ...roots.map((root) => `parentbased_${root}` as const)]
const ratioRule = 'must be a number from 0 to 1'

/**
 * The standard variables of OpenTelemetry that decide which requests are traced. The exporter reads the others itself.
 */
export const tracingVariables = v.object({
  OTEL_SDK_DISABLED: v.optional(v.string()),
  OTEL_TRACES_EXPORTER: v.optional(v.literal('otlp', 'must be otlp or none; a collector converts to other formats')),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(httpUrl),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: v.optional(httpUrl),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_TRACES_SAMPLER: v.optional(
    v.picklist(samplers, `must be one of ${samplers.join(', ')}`),
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(v.string(), v.toNumber(ratioRule), v.minValue(0, ratioRule), v.maxValue(1, ratioRule)),
    '1',
  ),
})
export type TracingVariables = v.InferOutput<typeof tracingVariables>

/** Tracing is on if the exporter or its endpoint is set. Variables of one that is off may have any value. */
export function isTracingOn(variables: Readonly<Record<string, unknown>>): boolean {
  const endpoint = variables['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const exporter = variables['OTEL_TRACES_EXPORTER'] ?? endpoint ?? 'none'
  return exporter !== 'none' && String(variables['OTEL_SDK_DISABLED']).toLowerCase() !== 'true'
}
