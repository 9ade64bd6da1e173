import { randomBytes } from 'node:crypto'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService, createBlockIds } from '@auction/domain/service'
import closeWithGrace from 'close-with-grace'
import type { Configuration } from './configuration/read-configuration.ts'
import type { Log } from './log/open-log.ts'
import { loadObservability } from './observability/load-observability.ts'
import { buildServer } from './server/build-server.ts'
import { type Listening, listen } from './server/listen.ts'
import type { OpenStore } from './server/store.ts'
import { closeInOrder, type Open, shutDown } from './shut-down.ts'
import { leaveSignals } from './signals.ts'
import { startupMessage } from './startup-message.ts'

// A log that nobody reads holds up the end for no longer than this.
const drainLogMs = 1_000
// What takes so much longer than it may has no end.
const beyondMs = 2_000

export type ServingParts = {
  readonly configuration: Configuration
  /** For the log, once it is known that the start succeeds. */
  readonly warnings: readonly string[]
  /** Is closed when the process is told to end, or when the server can't listen. */
  readonly store: OpenStore
  readonly log: Log
}

/** Serves until the process is told to end, or says on one line why it can't. */
export async function serve({ configuration, warnings, store, log }: ServingParts): Promise<Serving> {
  const { logger } = log
  const { limits, host, port } = configuration
  const clock = systemClock
  const observability = await loadObservability(configuration, logger)
  const { observer, watch } = observability
  const parts = { store, clock, limits, ...(observer && { observer }) }
  const ids = createBlockIds(parts)
  const service = observability.observe(createAuctionService({ ...parts, ids }))
  const tokenKey = configuration.tokenKey ?? { kind: 'secret', secret: randomBytes(32).toString('base64url') }
  const { ping } = store
  const app = await buildServer({ configuration: { ...configuration, tokenKey }, service, clock, logger, ping, watch })
  const open = { app, service, store, observability }
  let metricsUrl: string | undefined
  try {
    metricsUrl = await observability.listen()
  } catch (error) {
    await closeInOrder(open)
    return {
      ok: false,
      fault: `ADMIN_HOST, ADMIN_PORT: can't listen${placeOf(configuration.admin)}: ${messageOf(error)}`,
    }
  }
  let listening: Listening
  try {
    listening = await listen(app, host, port)
  } catch (error) {
    await closeInOrder(open)
    return { ok: false, fault: `HOST, PORT: can't listen${placeOf({ host, port })}: ${messageOf(error)}` }
  }
  closeOnSignals(open, configuration, log)

  for (const warning of warnings) logger.warn(warning)
  const tellOfMetrics = () => {
    if (metricsUrl !== undefined) logger.info({ url: metricsUrl }, 'metrics can be read')
  }
  if (configuration.tokenKey !== undefined) {
    const { url, onEveryInterface } = listening
    logger.info({ url, store: store.description }, onEveryInterface ? 'listening on every interface' : 'listening')
    tellOfMetrics()
    return { ok: true }
  }
  tellOfMetrics()
  const nextAuctionId = await ids.auctions.peek()
  const signToken = (claims: object) => app.jwt.sign(claims)
  const nowMs = systemClock.nowMs()
  sayToPeople(startupMessage({ listening, store: store.description, configuration, signToken, nextAuctionId, nowMs }))
  return { ok: true }
}

type Serving = { readonly ok: true } | { readonly ok: false; readonly fault: string }

const placeOf = (address: { readonly host: string; readonly port: number } | undefined): string =>
  address === undefined ? '' : ` on ${address.host}, port ${address.port}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Ends the process when it is told to, or when an error was not caught: what is under way is answered first. */
function closeOnSignals(open: Open, { shutdownMs, tokenKey }: Configuration, { logger, drain }: Log): void {
  closeWithGrace({ delay: shutdownMs + beyondMs, logger }, async ({ signal, err }) => {
    const startMs = performance.now()
    if (err === undefined) logger.info({ signal }, 'closing')
    else logger.fatal({ err }, 'ending, because of an error that nothing has caught')
    // Nobody balances load onto a trial, and after an error nobody knows what else is wrong.
    await shutDown(open, { shutdownMs, givesNotice: tokenKey !== undefined && err === undefined })
    logger.info({ ms: Math.round(performance.now() - startMs) }, 'closed')
    await drain(drainLogMs)
  })
  // Behind it: a signal that nobody listens for at the moment when Node hands it over is lost.
  leaveSignals()
}

function sayToPeople(text: string): void {
  // Whoever started the service may have left; it serves all the same.
  process.stdout.on('error', () => undefined)
  process.stdout.write(text)
}
