import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Delivery } from '@auction/delivery'
import type { AuctionService } from '@auction/domain'
import { within } from '@auction/host/time'
import type { Observability } from '../api/observability/load-observability.ts'
import type { Readiness } from '../api/readiness.ts'
import type { BuiltServer } from '../build-server.ts'
import type { OpenStore } from './load-store.ts'

/** What is open while the process serves; each is used by the one before it. */
export type Open = BuiltServer & {
  readonly delivery: Delivery | undefined
  readonly service: AuctionService
  readonly store: OpenStore
  readonly readiness: Readiness
  readonly observability: Observability
}

// Probes of load balancers come every few seconds.
const longestNoticeMs = 5_000
// Requests may be in transit to the server.
const longestSettlingMs = 100
// Requests may still be arriving. Nothing was done for slower ones.
const longestArrivalMs = 1_000

/**
 * Shuts the server down within `shutdownMs`:
 * 1. `/readyz` returns 503. After a recent probe, all requests are served until load balancers have noticed. Event
 *    streams end, one after the other.
 * 2. The server accepts no new connections, and serves requests on the open ones for a moment.
 * 3. Requests in flight are completed. New requests, and those that are incomplete after a second, are refused.
 * 4. Requests without a response shortly before the end receive a 503 that states whether their outcome is known.
 *    Deliveries to endpoints end, too; the next start repeats those without a response.
 * @param givesNotice Whether to wait until load balancers have noticed.
 */
export async function shutDown(open: Open, shutdownMs: number, givesNotice: boolean): Promise<void> {
  const { app, lifecycle, streams, readiness } = open
  const startMs = performance.now()
  /** The time until the given share of the whole time has passed. */
  const msUntil = (share: number) => Math.max(0, startMs + share * shutdownMs - performance.now())

  lifecycle.drain()
  // Their clients reconnect immediately, so they do not all end at the same time.
  const streamsEnded = streams.endAll(givesNotice ? 0.4 * shutdownMs : 0)
  if (givesNotice && readiness.wasProbedLately()) await sleep(Math.min(longestNoticeMs, msUntil(0.5)))
  await within(msUntil(0.5), streamsEnded)
  await stopListening(app.server, msUntil(0.6))
  await sleep(Math.min(longestSettlingMs, msUntil(0.6)))

  const timers = [
    setTimeout(lifecycle.refuseUnfinished, Math.min(longestArrivalMs, msUntil(0.85))),
    setTimeout(lifecycle.cutShort, msUntil(0.85)),
    setTimeout(open.abandonDeliveries, msUntil(0.85)),
    setTimeout(() => app.server.closeAllConnections(), msUntil(0.95)),
  ]
  await app.close()
  for (const timer of timers) clearTimeout(timer)
  await within(msUntil(1), closeRest(open))
}

async function closeRest({ delivery, service, store, observability }: Open): Promise<void> {
  await delivery?.close()
  await service.close()
  await store.close()
  // Metrics cover the shutdown, so they end last.
  await observability.close()
}

/**
 * Stops accepting connections. It first accepts those that clients have already made, for at most `longestMs`, because
 * the system would reset them. Idle connections stay open, because a request may be about to arrive.
 */
async function stopListening(server: Server, longestMs: number): Promise<void> {
  const untilMs = performance.now() + longestMs
  let hasAccepted: boolean
  const note = () => {
    hasAccepted = true
  }
  server.on('connection', note)
  // A turn of the event loop accepts at most one connection.
  do {
    hasAccepted = false
    await nextTurn()
    await nextTurn()
  } while (hasAccepted && performance.now() < untilMs)
  server.off('connection', note)
  server.close()
}
