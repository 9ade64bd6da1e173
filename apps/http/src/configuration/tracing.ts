import type { Environment } from './given-settings.ts'

/** Which requests are traced, and as whose. Where spans go, and how, the exporter reads from OTEL_EXPORTER_OTLP_* itself. */
export type Tracing = {
  readonly sampler: TraceSampler
  /** What the service calls itself, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES say something else. */
  readonly serviceName: string
}

export type TraceSampler = {
  readonly kind: 'always_on' | 'always_off' | 'traceidratio'
  /** Whether a request that is part of a trace already follows the decision of whoever began that. */
  readonly isParentBased: boolean
  readonly ratio: number
}

type TracingReading = { readonly found: { readonly tracing?: Tracing }; readonly faults: readonly string[] }

const off: TracingReading = { found: {}, faults: [] }

/**
 * Reads the standard variables of OpenTelemetry: tracing is on where one names the exporter or its endpoint. An empty one counts
 * as not set, as the standard says. A fault is a line that names the variable.
 */
export function readTracing(environment: Environment, serviceName: string): TracingReading {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined
  const endpoints = endpointNames.filter((name) => read(name) !== undefined)
  const exporter = read('OTEL_TRACES_EXPORTER') ?? (endpoints.length > 0 ? 'otlp' : 'none')
  if (exporter === 'none' || read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return off
  const { sampler, faults: samplerFaults } = readSampler(read)
  const faults = [
    ...(exporter === 'otlp' ? [] : [`OTEL_TRACES_EXPORTER: ${exporterRule}`]),
    ...endpoints.filter((name) => !isHttpUrl(read(name))).map((name) => `${name}: ${endpointRule}`),
    ...protocolNames.filter((name) => (read(name) ?? protobuf) !== protobuf).map((name) => `${name}: ${protocolRule}`),
    ...samplerFaults,
  ]
  return faults.length > 0 ? { found: {}, faults } : { found: { tracing: { sampler, serviceName } }, faults }
}

const endpointNames = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']
const endpointRule = 'must be a URL that begins with http:// or https://'
const exporterRule = 'must be otlp or none; other formats are what a collector makes of it'

const protocolNames = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']
const protobuf = 'http/protobuf'
const protocolRule = `must be ${protobuf}, which collectors take on port 4318`

const isHttpUrl = (url = ''): boolean => /^https?:\/\//.test(url) && URL.canParse(url)

const samplerForm = /^(?<parent>parentbased_)?(?<kind>always_on|always_off|traceidratio)$/
const samplerRule = 'must be always_on, always_off or traceidratio, with parentbased_ before it or without'

function readSampler(read: (name: string) => string | undefined) {
  const { parent, kind } = samplerForm.exec(read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on')?.groups ?? {}
  const ratio = Number(read('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  const faults: string[] = []
  if (kind === undefined) faults.push(`OTEL_TRACES_SAMPLER: ${samplerRule}`)
  if (kind === 'traceidratio' && !(ratio >= 0 && ratio <= 1)) {
    faults.push('OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1')
  }
  // The cast: the form has no others, and where it was not met there is a fault.
  const sampler = { kind: kind as TraceSampler['kind'], isParentBased: parent !== undefined, ratio }
  return { sampler, faults }
}
