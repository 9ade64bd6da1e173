import type { AuctionService, Observer } from '@auction/domain'
import { type AdminServer, createMetricFactory, createRequestMetrics, openAdminServer } from '@auction/host/metrics'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Instrument, Watch } from '../load-observability.ts'
import { createServiceMetrics } from './service-metrics.ts'
import { addSqliteMetrics } from './sqlite-metrics.ts'
import { createWebhookMetrics } from './webhook-metrics.ts'

/** Metrics for Prometheus, on a separate address. */
export function createMetricsInstrument(
  admin: { readonly host: string; readonly port: number },
  sqliteFile: string | undefined,
): Instrument & { readonly listen: () => Promise<string> } {
  const { registry, ...instrument } = createMetrics(sqliteFile)
  let server: AdminServer | undefined
  return {
    ...instrument,
    async listen() {
      server = await openAdminServer(admin, registry)
      return server.url
    },
    close: async () => server?.close(),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** Gauges whose names end in `_total`, which is for counters. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

export function createMetrics(sqliteFile?: string) {
  const registry = new Registry()
  // Metrics of the process and of Node.js: CPU, memory, event loop delay, garbage collection.
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const factory = createMetricFactory(registry)
  const service = createServiceMetrics(factory)
  const webhooks = createWebhookMetrics(factory)
  if (sqliteFile !== undefined) addSqliteMetrics(factory, sqliteFile)
  const watch: Watch = {
    ...createRequestMetrics(factory),
    onClosingRun: service.onClosingRun,
    onEndpoint: webhooks.onEndpoint,
  }
  const observer: Observer = { ...service.observer, ...webhooks.observer }
  return {
    registry,
    observer,
    watch,
    observe(opened: AuctionService): AuctionService {
      service.watchBacklog(opened.backlog)
      return opened
    },
  }
}
