import type { Server } from 'node:http'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { clientCode } from '../../answers/problem.ts'
import type { ProblemCode } from '../../answers/problem-types.ts'
import type { DropReason, ServerWatch } from '../../server/watch.ts'
import { operationOf } from '../operation-of.ts'

/** From an answer out of memory to one at the deadline. */
const durationBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]

const dropReasons = [
  'too-many-connections',
  'too-many-of-address',
  'pipelined',
  'too-much-unread',
] as const satisfies DropReason[]

const earlyCodes = [
  'bad-request',
  'headers-too-large',
  'request-timeout',
  'overloaded',
] as const satisfies ProblemCode[]

/** Nothing was answered: the client left before. */
const noStatus = 'none'

/** Counts requests and connections, and takes the time of requests. */
export function createRequestMetrics(registry: Registry): ServerWatch {
  const registers = [registry]
  const requests = new Counter({
    name: 'auction_http_requests_total',
    help: 'Requests that have ended, by operation and status; the status is "none" where the client left before there was one.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'auction_http_request_duration_seconds',
    help: 'From the arrival of the headers to the end of the response, by operation.',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers,
  })
  const inProgress = new Gauge({
    name: 'auction_http_requests_in_progress',
    help: 'Requests that have arrived, and whose response has not ended.',
    registers,
  })
  const refusals = new Counter({
    name: 'auction_http_refusals_total',
    help: 'Requests that were refused or failed, by operation and the code of the answer.',
    labelNames: ['operation', 'code'],
    registers,
  })
  const unseen = new Counter({
    name: 'auction_http_unseen_responses_total',
    help: 'Requests whose client left before the response had gone out whole.',
    registers,
  })
  const earlyRefusals = new Counter({
    name: 'auction_http_early_refusals_total',
    help: 'Refusals before there was a request, by code: what is no HTTP, came too slowly, or was too much.',
    labelNames: ['code'],
    registers,
  })
  const dropped = new Counter({
    name: 'auction_http_connections_dropped_total',
    help: 'Connections that were closed without an answer, by reason.',
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
        // What was to be refused to a client that has left was not.
        if (problem !== undefined && raw.headersSent) refusals.inc({ operation, code: clientCode(problem) })
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
    help: 'Connections of clients that are open.',
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
