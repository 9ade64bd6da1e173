import { type AdminServer, openAdminServer } from '../admin-server.ts'
import type { Instrument } from '../instrument.ts'
import { createMetrics } from './metrics.ts'

/** Metrics for Prometheus, which reads them on an address of their own. */
export function createMetricsInstrument(admin: { readonly host: string; readonly port: number }): Instrument {
  const { observer, watch, watchBacklog, contentType, expose } = createMetrics()
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
