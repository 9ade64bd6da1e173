import { type AdminServer, openAdminServer } from '../../../host/observability/admin-server.ts'
import type { Instrument } from '../instrument.ts'
import { createMetrics } from './metrics.ts'

/** Metrics for Prometheus, on a separate address. */
export function createMetricsInstrument(
  admin: { readonly host: string; readonly port: number },
  sqliteFile: string | undefined,
): Instrument {
  const { observer, watch, watchBacklog, contentType, expose } = createMetrics(sqliteFile)
  let server: AdminServer | undefined
  return {
    observer,
    watch,
    observe(service) {
      watchBacklog(service.backlog)
      return service
    },
    async listen() {
      server = await openAdminServer(admin, { '/metrics': { contentType, read: expose } })
      return `${server.url}/metrics`
    },
    close: async () => server?.close(),
  }
}
