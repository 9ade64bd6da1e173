import type { Backlog, Observer } from '@auction/domain/observer'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { ServerWatch } from '../../server/watch.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { createServiceMetrics } from './service-metrics.ts'

/** All metrics of one server and its process. */
export type Metrics = {
  readonly observer: Observer
  readonly watch: ServerWatch
  watchBacklog(backlog: () => Backlog): void
  readonly contentType: string
  /** The metrics as they are now, in Prometheus's text format. */
  expose(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  // Of the process and of Node.js: CPU, memory, the delay of the event loop, garbage collection.
  collectDefaultMetrics({ register: registry })
  const { observer, onClosingRun, watchBacklog } = createServiceMetrics(registry)
  let underWay: Promise<string> | undefined
  return {
    observer,
    watch: { ...createRequestMetrics(registry), onClosingRun },
    watchBacklog,
    contentType: registry.contentType,
    // Whoever asks while it is made gets the same.
    expose() {
      underWay ??= registry.metrics().finally(() => {
        underWay = undefined
      })
      return underWay
    },
  }
}
