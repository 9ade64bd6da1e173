export { type AdminServer, openAdminServer } from './observability/admin-server.ts'
export { createMetricFactory, type MetricFactory } from './observability/create-metrics.ts'
export { createRequestMetrics } from './observability/request-metrics.ts'
