import { setTimeout as sleep } from 'node:timers/promises'
import type { AuctionService } from '@auction/domain/service'
import type { FastifyInstance } from 'fastify'
import type { Observability } from '../observability/load-observability.ts'
import { stopListening } from '../server/connections/http-server.ts'
import type { OpenStore } from './load-store.ts'

/** What is open while the process serves; each is used by the one before it. */
export type Open = {
  readonly app: FastifyInstance
  readonly service: AuctionService
  readonly store: OpenStore
  readonly observability: Observability
}

// Probes of load balancers come every few seconds.
const longestNoticeMs = 5_000
// For requests that were on their way to a connection when it was told to end.
const longestSettlingMs = 100
// For requests that are still being sent: of those that come slower, nothing was begun.
const longestArrivalMs = 1_000

export type ShutDownOptions = {
  readonly shutdownMs: number
  /** Whether load balancers are waited for. */
  readonly givesNotice: boolean
}

/**
 * Ends a server in order, within `shutdownMs`:
 * 1. `/readyz` says that it ends. If somebody asks that, everything is served for a while yet, so that they send no more.
 * 2. No new connections are taken. What comes on those that there are is served for a moment.
 * 3. What is under way goes on to its end, and what is new is refused. So is what has not arrived whole after a second.
 * 4. Whatever has no answer shortly before the time is over is told what is known of it.
 */
export async function shutDown({ app, ...rest }: Open, { shutdownMs, givesNotice }: ShutDownOptions): Promise<void> {
  const startMs = performance.now()
  /** How long it is until a part of the whole time has passed. */
  const msUntil = (share: number) => Math.max(0, startMs + share * shutdownMs - performance.now())

  app.lifecycle.drain()
  if (givesNotice && app.readiness.wasAskedLately()) await sleep(Math.min(longestNoticeMs, msUntil(0.5)))
  await stopListening(app.server, msUntil(0.6))
  await sleep(Math.min(longestSettlingMs, msUntil(0.6)))

  const arrival = setTimeout(() => app.lifecycle.refuseUnfinished(), Math.min(longestArrivalMs, msUntil(0.85)))
  const lastWord = setTimeout(() => app.lifecycle.cutShort(), msUntil(0.85))
  const cutOff = setTimeout(() => app.server.closeAllConnections(), msUntil(0.95))
  await app.close()
  clearTimeout(arrival)
  clearTimeout(lastWord)
  clearTimeout(cutOff)
  await Promise.race([closeRest(rest), sleep(msUntil(1))])
}

async function closeRest({ service, store, observability }: Omit<Open, 'app'>): Promise<void> {
  await service.close()
  await store.close()
  // To the last, so that the end can be watched.
  await observability.close()
}
