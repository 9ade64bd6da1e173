import type { Server } from 'node:http'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { codeOf } from '../answers/problem.ts'
import type { HostProblemCode } from '../answers/problem-types.ts'
import type { DropReason, ServerWatch } from '../server/watch.ts'
import { operationOf } from './operation-of.ts'

/** From a response without the store to one at the time limit. */
const durationBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]

const dropReasons = ['too-many-connections', 'too-many-of-address', 'pipelined'] as const satisfies DropReason[]

const earlyCodes = [
  'bad-request',
  'headers-too-large',
  'request-timeout',
  'overloaded',
] as const satisfies HostProblemCode[]

/** The client disconnected before the response. */
const noStatus = 'none'

/** Counts requests and connections, and measures the time of requests. */
export function createRequestMetrics(registry: Registry): ServerWatch {
  const registers = [registry]
  const requests = new Counter({
    name: 'auction_http_requests_total',
    help: 'Completed requests, by operation and status; the status is "none" if the client disconnected before the response.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'auction_http_request_duration_seconds',
    help: 'Time from the arrival of the headers to the end of the response, by operation.',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers,
  })
  const inProgress = new Gauge({
    name: 'auction_http_requests_in_progress',
    help: 'Requests in progress.',
    registers,
  })
  const refusals = new Counter({
    name: 'auction_http_refusals_total',
    help: 'Refused and failed requests, by operation and code.',
    labelNames: ['operation', 'code'],
    registers,
  })
  const unseen = new Counter({
    name: 'auction_http_unseen_responses_total',
    help: 'Requests whose client disconnected before the end of the response.',
    registers,
  })
  const earlyRefusals = new Counter({
    name: 'auction_http_early_refusals_total',
    help: 'Refusals before routing, by code: invalid HTTP, timeouts and overload.',
    labelNames: ['code'],
    registers,
  })
  const dropped = new Counter({
    name: 'auction_http_connections_dropped_total',
    help: 'Connections closed without a response, by reason.',
    labelNames: ['reason'],
    registers,
  })
  for (const code of earlyCodes) earlyRefusals.inc({ code }, 0)
  for (const reason of dropReasons) dropped.inc({ reason }, 0)
  const countConnectionsOf = createConnectionCount(registry)

  return {
    addTo: ({ server }) => countConnectionsOf(server),
    onRequest(request, reply) {
      const startMs = performance.now()
      inProgress.inc()
      return () => {
        inProgress.dec()
        const operation = operationOf(request)
        const { raw, problem, statusCode } = reply
        durations.observe({ operation }, (performance.now() - startMs) / 1000)
        requests.inc({ operation, status: raw.headersSent ? statusCode : noStatus })
        if (!raw.writableFinished) unseen.inc()
        // The client disconnected before it received the refusal.
        if (problem !== undefined && raw.headersSent) refusals.inc({ operation, code: codeOf(problem) })
      }
    },
    onEarlyRefusal: ({ code }) => earlyRefusals.inc({ code }),
    onDroppedConnection: (reason) => dropped.inc({ reason }),
  }
}

function createConnectionCount(registry: Registry): (server: Server) => void {
  let server: Server | undefined
  new Gauge({
    name: 'auction_http_connections',
    help: 'Open client connections.',
    registers: [registry],
    async collect() {
      this.set(
        await new Promise((resolve) => server?.getConnections((_error, count = 0) => resolve(count)) ?? resolve(0)),
      )
    },
  })
  return (counted) => {
    server = counted
  }
}
