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
import { createReadiness } from '../server/health.ts'
import { type Listening, listen } from '../server/listen.ts'
import { deferService } from './deferred-service.ts'
import { type OpenStore, type OpenTheStore, storeSettingOf } from './load-store.ts'
import { openInTime } from './open-in-time.ts'
import { type Open, shutDown } from './shut-down.ts'
import { leaveSignals } from './signals.ts'

// A log that nobody reads holds up the end for no longer than this.
const drainLogMs = 1_000
// What takes so much longer than it may never ends by itself.
const beyondMs = 2_000

export type ServingParts = {
  readonly configuration: Configuration
  /** For the log, once it is known that the start succeeds. */
  readonly warnings: readonly string[]
  /** What it opens is closed when the process is told to end. */
  readonly openStore: OpenTheStore
  readonly log: Log
}

type Serving = { readonly ok: true } | Fault
type Fault = { readonly ok: false; readonly fault: string }

/**
 * Listens, opens the store, and serves until the process is told to end; or says on one line why it can't. Until the store is open, only
 * probes are answered, and a signal ends the process at once.
 */
export async function serve({ configuration, warnings, openStore, log }: ServingParts): Promise<Serving> {
  const { logger } = log
  const tokenKey = configuration.tokenKey ?? randomKey()
  const closed = await buildClosedServer({ ...configuration, tokenKey }, logger)
  const listening = await listenAll(closed, configuration)
  if (!listening.ok) {
    await closeAll(closed)
    return listening
  }
  const { url } = listening.reached
  const warn = ({ message }: Error) => logger.warn({ url, reason: message }, 'waiting for the store')
  let store: OpenStore
  try {
    store = await openInTime(openStore, configuration.storeWaitMs, warn)
  } catch (error) {
    await closeAll(closed)
    return { ok: false, fault: `${storeSettingOf[configuration.store.kind]}: ${messageOf(error)}` }
  }
  const { open, ids } = openService(closed, configuration, store)
  closeOnSignals(open, configuration, log)

  for (const warning of warnings) logger.warn(warning)
  await announce(open, listening, configuration, logger, ids)
  return { ok: true }
}

const randomKey = (): TokenKey => ({ kind: 'secret', secret: randomBytes(32).toString('base64url') })

/** The server with what looks at it, before there is a store. Nothing listens yet. */
async function buildClosedServer(configuration: ServerParts['configuration'], logger: Logger) {
  const observability = await loadObservability(configuration, logger)
  const readiness = createReadiness(logger)
  const deferred = deferService()
  const { watch } = observability
  const { service } = deferred
  const app = await buildServer({ configuration, service, clock: systemClock, logger, readiness, watch })
  return { app, observability, readiness, openService: deferred.open }
}

type ClosedServer = Awaited<ReturnType<typeof buildClosedServer>>

/** Has the server answer for the store that is open. */
function openService(
  { app, observability, readiness, ...closed }: ClosedServer,
  { limits }: Configuration,
  store: OpenStore,
) {
  const { observer, observe } = observability
  const parts = { store: readiness.watch(store), clock: systemClock, limits, ...(observer && { observer }) }
  const ids = createBlockIds(parts)
  const service = observe(createAuctionService({ ...parts, ids }))
  closed.openService(service)
  const open: Open = { app, service, store, observability }
  return { open, ids }
}

async function closeAll({ app, observability }: ClosedServer): Promise<void> {
  await app.close()
  await observability.close()
}

async function announce(
  { app, store }: Open,
  { metricsUrl, reached }: ListeningToAll,
  configuration: Configuration,
  logger: Logger,
  ids: ReturnType<typeof createBlockIds>,
): Promise<void> {
  const isTrial = configuration.tokenKey === undefined
  const { url, onEveryInterface } = reached
  if (!isTrial) {
    logger.info({ url, store: store.description }, onEveryInterface ? 'listening on every interface' : 'listening')
  }
  if (metricsUrl !== undefined) logger.info({ url: metricsUrl }, 'metrics can be read')
  if (!isTrial) return
  const { startupMessage } = await import('./startup-message.ts')
  const message = startupMessage({
    listening: reached,
    store: store.description,
    configuration,
    signToken: (claims) => app.jwt.sign(claims),
    nextAuctionId: await ids.auctions.peek(),
    nowMs: systemClock.nowMs(),
  })
  sayToPeople(message)
}

type ListeningToAll = { readonly ok: true; readonly metricsUrl: string | undefined; readonly reached: Listening }

/** Listens on both addresses, or says which of them can't be had. */
async function listenAll(
  { app, observability }: ClosedServer,
  configuration: Configuration,
): Promise<ListeningToAll | Fault> {
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
