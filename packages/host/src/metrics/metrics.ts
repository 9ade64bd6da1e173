import type { Server } from 'node:http'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { codeOf } from '../responses/problem.ts'
import type { HostProblemCode } from '../responses/problem-types.ts'
import { operationOf } from '../server/requests.ts'
import { dropReasons, type ServerObserver, streamEnds } from '../server/server-observer.ts'

/** The labels of a metric with their known values; an empty list if the values are not known. */
type Labels<Label extends string> = Readonly<Record<Label, readonly string[]>>

export type MetricFactory = ReturnType<typeof createMetricFactory>

/** Functions that add metrics to a registry. Series with known labels start at 0. */
export function createMetricFactory(registry: Registry) {
  const registers = [registry]
  return {
    registers,
    counter<Label extends string = never>(name: string, help: string, labels?: Labels<Label>): Counter<Label> {
      const counter = new Counter({ name, help, labelNames: namesOf(labels), registers })
      for (const series of knownSeries(labels)) counter.inc(series, 0)
      return counter
    },
    histogram<Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labels?: Labels<Label>,
    ): Histogram<Label> {
      const histogram = new Histogram({ name, help, buckets, labelNames: namesOf(labels), registers })
      for (const series of knownSeries(labels)) histogram.zero(series)
      return histogram
    },
    /** `read` returns the value for each scrape. */
    gauge(name: string, help: string, read?: () => number | Promise<number>): Gauge {
      if (read === undefined) return new Gauge({ name, help, registers })
      return new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      })
    },
  }
}

// The cast: the keys are the labels.
const namesOf = <Label extends string>(labels?: Labels<Label>) => Object.keys(labels ?? {}) as Label[]

/** Every combination of the known values of labels. */
const knownSeries = <Label extends string>(labels?: Labels<Label>): readonly Record<Label, string>[] =>
  Object.entries<readonly string[]>(labels ?? {}).reduce<object[]>(
    (series, [name, values]) => series.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    labels === undefined ? [] : [{}],
  ) as Record<Label, string>[] // Each has all labels.

/** The buckets cover a response without the store and one at the time limit. */
const durationBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]
const earlyCodes: HostProblemCode[] = ['bad-request', 'headers-too-large', 'request-timeout', 'overloaded']
/** The client disconnected before the response. */
const noStatus = 'none'

/** The metrics of requests, connections and event streams. `prefix` begins their names, such as `shop_http_`. */
export function createRequestMetrics({ counter, gauge, histogram }: MetricFactory, prefix: string): ServerObserver {
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
