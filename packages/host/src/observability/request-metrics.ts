import type { Server } from 'node:http'
import { codeOf } from '../answers/problem.ts'
import type { HostProblemCode } from '../answers/problem-types.ts'
import { dropReasons, type ServerWatch, streamEnds } from '../server/watch.ts'
import type { MetricFactory } from './create-metrics.ts'
import { operationOf } from './operation-of.ts'

/** From a response without the store to one at the time limit. */
const durationBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]
const earlyCodes: HostProblemCode[] = ['bad-request', 'headers-too-large', 'request-timeout', 'overloaded']
/** The client disconnected before the response. */
const noStatus = 'none'

/** The metrics of requests, connections and event streams. `prefix` begins their names, such as `shop_http_`. */
export function createRequestMetrics({ counter, gauge, histogram }: MetricFactory, prefix: string): ServerWatch {
  const requests = counter(
    `${prefix}requests_total`,
    'Completed requests; the status is "none" if the client disconnected before the response.',
    { operation: [], status: [] },
  )
  const durations = histogram(
    `${prefix}request_duration_seconds`,
    'Time from the arrival of the headers to the end of the response; without event streams.',
    durationBuckets,
    { operation: [] },
  )
  const inProgress = gauge(`${prefix}requests_in_progress`, 'Requests in progress, including event streams.')
  const refusals = counter(`${prefix}refusals_total`, 'Refused and failed requests.', {
    operation: [],
    code: [],
  })
  const unseen = counter(
    `${prefix}unseen_responses_total`,
    'Requests whose client disconnected before the end of the response.',
  )
  const earlyRefusals = counter(
    `${prefix}early_refusals_total`,
    'Refusals before routing: invalid HTTP, timeouts and overload.',
    { code: earlyCodes },
  )
  const dropped = counter(`${prefix}connections_dropped_total`, 'Connections closed without a response.', {
    reason: dropReasons,
  })
  const streams = gauge(`${prefix}streams`, 'Open event streams.')
  const streamsEnded = counter(`${prefix}streams_ended_total`, 'Event streams that have ended.', {
    reason: streamEnds,
  })
  let server: Server | undefined
  gauge(`${prefix}connections`, 'Open client connections.', () => connectionsOf(server))

  return {
    addTo(app) {
      server = app.server
    },
    onRequest(request, reply) {
      const startMs = performance.now()
      inProgress.inc()
      return () => {
        inProgress.dec()
        const operation = operationOf(request)
        const { raw, problem, statusCode } = reply
        if (!reply.isEventStream) durations.observe({ operation }, (performance.now() - startMs) / 1000)
        requests.inc({ operation, status: raw.headersSent ? statusCode : noStatus })
        if (!raw.writableFinished) unseen.inc()
        // The client disconnected before it received the refusal.
        if (problem !== undefined && raw.headersSent) refusals.inc({ operation, code: codeOf(problem) })
      }
    },
    onEarlyRefusal: ({ code }) => earlyRefusals.inc({ code }),
    onDroppedConnection: (reason) => dropped.inc({ reason }),
    onStream() {
      streams.inc()
      return (reason) => {
        streams.dec()
        streamsEnded.inc({ reason })
      }
    },
  }
}

const connectionsOf = (server: Server | undefined): Promise<number> =>
  new Promise((resolve) => server?.getConnections((_error, count = 0) => resolve(count)) ?? resolve(0))
