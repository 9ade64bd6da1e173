import { randomBytes } from 'node:crypto'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService, createBlockIds } from '@auction/domain/service'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import type { Configuration, TokenKey } from '../configuration/configuration.ts'
import { messageOf } from '../log/message-of.ts'
import type { Log } from '../log/open-log.ts'
import { loadObservability } from '../observability/load-observability.ts'
import { buildServer, type ServerParts } from '../server/build-server.ts'
import { type Listening, listen } from '../server/listen.ts'
import type { OpenStore } from './load-store.ts'
import { closeAll, type Open, shutDown } from './shut-down.ts'
import { leaveSignals } from './signals.ts'

// A log that nobody reads holds up the end for no longer than this.
const drainLogMs = 1_000
// What takes so much longer than it may never ends by itself.
const beyondMs = 2_000

export type ServingParts = {
  readonly configuration: Configuration
  /** For the log, once it is known that the start succeeds. */
  readonly warnings: readonly string[]
  /** Is closed when the process is told to end, or when the server can't listen. */
  readonly store: OpenStore
  readonly log: Log
}

type Serving = { readonly ok: true } | Fault
type Fault = { readonly ok: false; readonly fault: string }

/** Serves until the process is told to end, or says on one line why it can't. */
export async function serve({ configuration, warnings, store, log }: ServingParts): Promise<Serving> {
  const { logger } = log
  const tokenKey = configuration.tokenKey ?? randomKey()
  const { open, ids } = await openService({ ...configuration, tokenKey }, store, logger)
  const listening = await listenAll(open, configuration)
  if (!listening.ok) {
    await closeAll(open)
    return listening
  }
  closeOnSignals(open, configuration, log)

  for (const warning of warnings) logger.warn(warning)
  const { metricsUrl, reached } = listening
  const { url, onEveryInterface } = reached
  const isTrial = configuration.tokenKey === undefined
  if (!isTrial) {
    logger.info({ url, store: store.description }, onEveryInterface ? 'listening on every interface' : 'listening')
  }
  if (metricsUrl !== undefined) logger.info({ url: metricsUrl }, 'metrics can be read')
  if (isTrial) {
    const { startupMessage } = await import('./startup-message.ts')
    const message = startupMessage({
      listening: reached,
      store: store.description,
      configuration,
      signToken: (claims) => open.app.jwt.sign(claims),
      nextAuctionId: await ids.auctions.peek(),
      nowMs: systemClock.nowMs(),
    })
    sayToPeople(message)
  }
  return { ok: true }
}

const randomKey = (): TokenKey => ({ kind: 'secret', secret: randomBytes(32).toString('base64url') })

/** The service with what looks at it and what answers for it, on the store that is open. Nothing listens yet. */
async function openService(configuration: ServerParts['configuration'], store: OpenStore, logger: Logger) {
  const observability = await loadObservability(configuration, logger)
  const { observer, watch, observe } = observability
  const parts = { store, clock: systemClock, limits: configuration.limits, ...(observer && { observer }) }
  const ids = createBlockIds(parts)
  const service = observe(createAuctionService({ ...parts, ids }))
  const app = await buildServer({ configuration, service, clock: systemClock, logger, ping: store.ping, watch })
  const open: Open = { app, service, store, observability }
  return { open, ids }
}

type ListeningToAll = { readonly ok: true; readonly metricsUrl: string | undefined; readonly reached: Listening }

/** Listens on both addresses, or says which of them can't be had. */
async function listenAll({ app, observability }: Open, configuration: Configuration): Promise<ListeningToAll | Fault> {
  const { admin, host, port } = configuration
  let metricsUrl: string | undefined
  try {
    metricsUrl = await observability.listen()
  } catch (error) {
    return cannotListen('ADMIN_HOST, ADMIN_PORT', admin, error)
  }
  try {
    return { ok: true, metricsUrl, reached: await listen(app, host, port) }
  } catch (error) {
    return cannotListen('HOST, PORT', { host, port }, error)
  }
}

function cannotListen(settings: string, address: Configuration['admin'], error: unknown): Fault {
  const place = address === undefined ? '' : ` on ${address.host}, port ${address.port}`
  return { ok: false, fault: `${settings}: can't listen${place}: ${messageOf(error)}` }
}

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
