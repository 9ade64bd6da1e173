import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@auction/adapters/system'
import { createDelivery } from '@auction/delivery'
import { createAuctionService, type Sealer } from '@auction/domain'
import { isStoreUnavailable } from '@auction/domain/errors'
import { idsPerBlock } from '@auction/domain/ids'
import type { Store } from '@auction/domain/store'
import { type Listening, listen } from '@auction/host/listen'
import { cut, type Log, openLog } from '@auction/host/log'
import type { TokenKey } from '@auction/host/security'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { loadObservability } from '../api/observability/load-observability.ts'
import { createReadiness } from '../api/readiness.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { readConfiguration } from '../configuration/read-configuration.ts'
import type { SettingName } from '../configuration/settings.ts'
import { type LoadedSealer, loadSealer } from './load-sealer.ts'
import { loadStore, type OpenStore } from './load-store.ts'
import { type Open, shutDown } from './shut-down.ts'
import { leaveSignals } from './signals.ts'
import { startupMessage } from './startup-message.ts'
import { fail, messageOf, print } from './terminal.ts'

const betweenTriesMs = 500
// How long the shutdown waits for a log whose reader has stalled.
const drainLogMs = 1_000
// A shutdown that takes longer than this beyond its limit is ended.
const beyondMs = 2_000

/**
 * Listens and opens the store, and serves until a signal; or prints why it cannot. Until the store is open, only probes
 * get responses.
 */
export async function start(): Promise<void> {
  const reading = readConfiguration(process.env)
  const { warnings } = reading
  if (!reading.ok) return fail(...reading.faults, ...warnings)
  const { configuration } = reading
  // Standard output has the log, or in a trial the instructions.
  const log = await openLog(configuration.logLevel, configuration.tokenKey ? process.stdout : process.stderr)
  const { logger } = log
  const hadDatabase = configuration.store.kind === 'sqlite' && existsSync(configuration.store.file)
  // A store waits for its thread or its connection while the server is built.
  const opening = beginToOpen(configuration, logger)
  const closed = await buildClosedServer(configuration, logger)
  let listening: AllListening
  let store: OpenStore
  let sealing: LoadedSealer | undefined
  try {
    listening = await listenAll(closed, configuration)
    store = await untilOpen(opening, listening, configuration, logger)
    sealing = loadSealer(configuration, true)
  } catch (error) {
    fail(messageOf(error), ...warnings)
    await closed.app.close()
    await closed.observability.close()
    return opening.first.then((opened) => opened.close(), ignore)
  }
  const open = openService(closed, configuration, store, sealing?.sealer)
  closeOnSignals(open, configuration, log)
  for (const warning of warnings) logger.warn(warning)
  if (sealing?.isNew && hadDatabase) logger.warn({ file: sealing.keyFile }, newKey)
  await announce(open, listening, configuration, logger, sealing)
}

const ignore = () => undefined

const newKey =
  'created a key of sealed bids for a database that existed: sealed auctions of an earlier key need that key, in the file or in SEALED_BIDS_KEY'

/** The server before its store is open. It does not listen yet. */
async function buildClosedServer(configuration: Configuration, logger: Logger) {
  const tokenKey: TokenKey = configuration.tokenKey ?? { kind: 'secret', secret: randomBytes(32).toString('base64url') }
  const observability = await loadObservability(configuration, logger)
  const readiness = createReadiness(logger)
  const { promise: opened, resolve: openService } = Promise.withResolvers<Pick<Open, 'service' | 'delivery'>>()
  const { httpObserver } = observability
  // The server loads while the store opens, and not for a wrong setting.
  const { buildServer } = await import('../build-server.ts')
  const built = await buildServer({
    configuration: { ...configuration, tokenKey },
    // The delivery comes first, because endpoints must be subscribed before the service closes auctions.
    delivery: opened.then(({ delivery }) => delivery),
    service: opened.then(({ service }) => service),
    clock: systemClock,
    logger,
    readiness,
    httpObserver,
  })
  return { ...built, observability, readiness, openService }
}
type ClosedServer = Awaited<ReturnType<typeof buildClosedServer>>

type AllListening = Listening & { readonly metricsUrl: string | undefined }

async function listenAll({ app, observability }: ClosedServer, { admin, host, port }: Configuration) {
  const metricsUrl = await observability.listen().catch(failListening('ADMIN_HOST', 'ADMIN_PORT', admin))
  return { ...(await listen(app, host, port).catch(failListening('HOST', 'PORT', { host, port }))), metricsUrl }
}

/** Begins the message of an error with the settings that can prevent it. */
const failListening =
  (hostName: SettingName, portName: SettingName, address: Configuration['admin']) =>
  (cause: Error & { readonly code?: string }): never => {
    const listening = address ? ` on ${isIPv6(address.host) ? `[${address.host}]` : address.host}:${address.port}` : ''
    const inUse = `the address is already in use; stop the other program or choose another ${portName}`
    const reason = cause.code === 'EADDRINUSE' ? inUse : messageOf(cause)
    throw new Error(`${hostName}, ${portName}: cannot listen${listening}: ${reason}`, { cause })
  }

/** Begins to open the store. `again` tries it again after a failure. */
function beginToOpen({ store }: Configuration, logger: Logger) {
  const adapter = loadStore(store)
  const again = async () => (await adapter).open((notice) => logger.warn(cut(notice)))
  const first = again()
  // `untilOpen` handles the failure, after the server is built.
  first.catch(ignore)
  return { adapter, first, again }
}

/** Waits for the open store. While it is unavailable, tries again for `storeWaitMs`. */
async function untilOpen(
  { adapter, first, again }: ReturnType<typeof beginToOpen>,
  { url }: Listening,
  { storeWaitMs }: Configuration,
  logger: Logger,
): Promise<OpenStore> {
  const { setting } = await adapter
  const giveUpAtMs = performance.now() + storeWaitMs
  for (let opening = first; ; opening = again()) {
    try {
      return await opening
    } catch (error) {
      const reason = messageOf(error)
      if (!isStoreUnavailable(error) || storeWaitMs === 0) throw new Error(`${setting}: ${reason}`)
      if (performance.now() + betweenTriesMs >= giveUpAtMs) {
        throw new Error(
          `${setting}: ${reason}; the store was not available within ${storeWaitMs / 1000} s (STORE_WAIT_SECONDS)`,
        )
      }
      if (opening === first) logger.warn({ url, reason }, 'waiting for the store')
    }
    await sleep(betweenTriesMs)
  }
}

function openService(
  closed: ClosedServer,
  { limits, webhooks }: Configuration,
  store: OpenStore,
  sealer: Sealer | undefined,
): Open {
  const { observability, readiness } = closed
  const { observer, observeBacklog } = observability
  const { checkpoints } = store
  const service = createAuctionService({
    store: readiness.monitor(store),
    clock: systemClock,
    limits,
    observer,
    ...(sealer && { sealer }),
  })
  const delivery = webhooks.length > 0 ? createDelivery({ service, checkpoints, observer }) : undefined
  observeBacklog(service.backlog)
  closed.openService({ service, delivery })
  return { ...closed, service, delivery, store }
}

/** Ends the process on a signal or an uncaught error, after the requests in flight. */
function closeOnSignals(open: Open, { shutdownMs, tokenKey }: Configuration, { logger, drain }: Log): void {
  closeWithGrace({ delay: shutdownMs + beyondMs, logger }, async ({ signal, err }) => {
    const startMs = performance.now()
    if (err === undefined) logger.info({ signal }, 'closing')
    else logger.fatal({ err }, 'shutting down after an uncaught error')
    // A trial has no load balancer, and after an error the state of the process is unknown.
    await shutDown(open, shutdownMs, tokenKey !== undefined && err === undefined)
    logger.info({ ms: Math.round(performance.now() - startMs) }, 'closed')
    await drain(drainLogMs)
  })
  // Node drops a signal that has no listener, so the first listeners leave only now.
  leaveSignals()
}

async function announce(
  { store, signToken }: Open,
  listening: AllListening,
  configuration: Configuration,
  logger: Logger,
  sealing: LoadedSealer | undefined,
) {
  const { url, metricsUrl, onEveryInterface } = listening
  const { description } = store
  const isTrial = configuration.tokenKey === undefined
  const places = { store: description, keyFile: sealing?.keyFile }
  if (!isTrial) logger.info({ url, ...places }, onEveryInterface ? 'listening on all interfaces' : 'listening')
  if (metricsUrl !== undefined) logger.info({ url: metricsUrl }, 'serving metrics')
  if (!isTrial) return
  // The service keeps running when the terminal is closed.
  process.stdout.on('error', () => undefined)
  print(startupMessage(configuration, listening, places, await likelyNextId(store), signToken))
}

/** Guesses the id of the first auction of this process: an earlier process may have claimed ids without using them. */
async function likelyNextId(store: Pick<Store, 'listAuctions'>): Promise<number> {
  const page = await store.listAuctions({ order: 'newest', limit: 1 }).catch(() => undefined)
  const newest = page?.items[0]?.auction.id ?? 0
  // A process claims its next block of ids when it has used half of one.
  const claimed = Math.ceil((newest + idsPerBlock.auctions / 2 + 1) / idsPerBlock.auctions)
  return (newest === 0 ? 0 : claimed) * idsPerBlock.auctions + 1
}
