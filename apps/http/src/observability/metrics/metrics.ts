import type { Backlog, Observer } from '@auction/domain/observer'
import { collectDefaultMetrics, type MetricObject, Registry } from 'prom-client'
import type { ServerWatch } from '../../server/watch.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { createServiceMetrics } from './service-metrics.ts'

/** All metrics of one server and its process. */
export type Metrics = {
  readonly observer: Observer
  readonly watch: ServerWatch
  watchBacklog(backlog: () => Backlog): void
  readonly contentType: string
  /** Of every metric what it is, whether it was counted yet or not. */
  describe(): readonly MetricDescription[]
  /** The metrics as they are now, in Prometheus's text format. */
  expose(): Promise<string>
}

export type MetricDescription = {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly help: string
}

/** Sums of what is there by kind, named as counters, which they are not. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

export function createMetrics(): Metrics {
  const registry = new Registry()
  // Of the process and of Node.js: CPU, memory, the delay of the event loop, garbage collection.
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const { observer, onClosingRun, watchBacklog } = createServiceMetrics(registry)
  let underWay: Promise<string> | undefined
  return {
    observer,
    watch: { ...createRequestMetrics(registry), onClosingRun },
    watchBacklog,
    contentType: registry.contentType,
    describe: () => registry.getMetricsAsArray().map(descriptionOf),
    // Whoever asks while it is made gets the same.
    expose() {
      underWay ??= registry.metrics().finally(() => {
        underWay = undefined
      })
      return underWay
    },
  }
}

function descriptionOf(metric: MetricObject): MetricDescription {
  // All metrics of the library have them, which its types do not say.
  const { name, type, help, labelNames: labels = [] } = metric as MetricObject & { readonly labelNames?: string[] }
  return { name, type: String(type), labels, help }
}
