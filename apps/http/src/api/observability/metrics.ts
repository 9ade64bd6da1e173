import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DeliveryObserver } from '@auction/delivery'
import type { Observer } from '@auction/domain'
import { type AdminServer, openAdminServer } from '@auction/host/admin-server'
import { createMetricFactory, createRequestMetrics, type MetricFactory } from '@auction/host/metrics'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { HttpObserver, Instrument } from './instrument.ts'
import { createServiceMetrics } from './service-metrics.ts'
import { createWebhookMetrics } from './webhook-metrics.ts'

/** Metrics for Prometheus, on a separate address. */
export function createMetricsInstrument(
  admin: { readonly host: string; readonly port: number },
  sqliteFile: string | undefined,
): Metrics & Instrument & { readonly listen: () => Promise<string> } {
  const metrics = createMetrics(sqliteFile)
  let server: AdminServer | undefined
  return {
    ...metrics,
    async listen() {
      server = await openAdminServer(admin, metrics.registry)
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
  const httpObserver: HttpObserver = {
    ...createRequestMetrics(factory, 'auction_http_'),
    onEvent: createEventMetric(factory),
    onClosingRun: service.onClosingRun,
    onEndpoint: webhooks.onEndpoint,
  }
  const observer: Observer & DeliveryObserver = { ...service.observer, ...webhooks.observer }
  return {
    registry,
    observer,
    httpObserver,
    /** Sets the function that reads the backlog of the service for each scrape. */
    observeBacklog: service.observeBacklog,
  }
}

/** The buckets cover an event of this process and one that polling noticed late. */
const eventDelayBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 5]

function createEventMetric({ histogram }: MetricFactory): NonNullable<HttpObserver['onEvent']> {
  const delays = histogram(
    'auction_http_event_delay_seconds',
    'Time from the record of an event until its delivery to the readers of its auction begins.',
    eventDelayBuckets,
  )
  return (delayMs) => delays.observe(delayMs / 1000)
}

/**
 * Adds the size of a SQLite file and its write-ahead log, and the free space of their disk. They are read at each
 * scrape.
 */
function addSqliteMetrics({ gauge }: MetricFactory, file: string): void {
  gauge('auction_sqlite_file_bytes', 'Size of the SQLite file.', () => sizeOf(file))
  gauge('auction_sqlite_wal_bytes', 'Size of the write-ahead log of the SQLite file.', () => sizeOf(`${file}-wal`))
  gauge('auction_sqlite_disk_free_bytes', 'Free space on the disk of the SQLite file.', () =>
    statfs(dirname(file)).then(({ bavail, bsize }) => bavail * bsize, unknown),
  )
}

// 0 would look like a full disk, and an error would hide all metrics.
const unknown = () => Number.NaN

const sizeOf = (file: string): Promise<number> => stat(file).then(({ size }) => size, unknown)
