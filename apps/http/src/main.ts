import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { systemClock } from '@auction/adapters/system'
import { type AuctionService, createAuctionService, createBlockIds } from '@auction/domain/service'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { readConfiguration } from './configuration/read-configuration.ts'
import { cut } from './log/cut.ts'
import { type Log, openLog } from './log/open-log.ts'
import { runtimeFault } from './runtime.ts'
import { type Listening, listen } from './server/listen.ts'
import { type OpenStore, openStore, storeSettingOf } from './server/store.ts'
import { startupMessage } from './startup-message.ts'

// A client that stops in the middle of its request holds up the end for no longer than this.
const drainMs = 8_000
// And a log that nobody reads for no longer than this.
const drainLogMs = 1_000
const graceMs = 15_000

await main()

async function main(): Promise<void> {
  const unsafe = runtimeFault(process.versions.node)
  if (unsafe !== undefined) {
    refuseToStart([unsafe])
    return
  }
  const reading = readConfiguration(process.env, (path) => readFileSync(path, 'utf8'))
  const { warnings } = reading
  if (!reading.ok) {
    refuseToStart([...reading.faults, ...warnings])
    return
  }
  const { configuration } = reading
  const isTrial = configuration.tokenKey === undefined
  // Standard output holds one kind of thing: the log, or in a trial the text for whoever tries the service.
  const log = openLog(configuration.logLevel, isTrial ? process.stderr : process.stdout)
  const { logger } = log

  const opening = openStore(configuration.store, (notice) => logger.warn(cut(notice)))
  opening.catch(() => undefined) // It is awaited below: the server's modules are loaded while the store opens.
  const { buildServer } = await import('./server/build-server.ts')
  let store: OpenStore
  try {
    store = await opening
  } catch (error) {
    refuseToStart([`${storeSettingOf[configuration.store.kind]}: ${messageOf(error)}`, ...warnings])
    return
  }
  const { limits } = configuration
  const ids = createBlockIds({ store, clock: systemClock, limits })
  const service = createAuctionService({ store, clock: systemClock, ids, limits })
  const tokenKey = configuration.tokenKey ?? { kind: 'secret', secret: randomBytes(32).toString('base64url') }
  const app = await buildServer({ configuration: { ...configuration, tokenKey }, service, clock: systemClock, logger })
  const served = { app, service, store }
  let listening: Listening
  try {
    listening = await listen(app, configuration.host, configuration.port)
  } catch (error) {
    await closeInOrder(served)
    const { host, port } = configuration
    refuseToStart([`HOST, PORT: can't listen on ${host}, port ${port}: ${messageOf(error)}`, ...warnings])
    return
  }
  closeOnSignals(served, log)

  for (const warning of warnings) logger.warn(warning)
  if (!isTrial) {
    const { url, onEveryInterface } = listening
    logger.info({ url, store: store.description }, onEveryInterface ? 'listening on every interface' : 'listening')
    return
  }
  const nextAuctionId = await ids.auctions.peek()
  const signToken = (claims: object) => app.jwt.sign(claims)
  const nowMs = systemClock.nowMs()
  sayToPeople(startupMessage({ listening, store: store.description, configuration, signToken, nextAuctionId, nowMs }))
}

type Served = { readonly app: FastifyInstance; readonly service: AuctionService; readonly store: OpenStore }

/** Each is used by the one before it. */
async function closeInOrder({ app, service, store }: Served): Promise<void> {
  await app.close()
  await service.close()
  await store.close()
}

/** Ends the process when it is told to, or when an error was not caught: what is under way is answered first. */
function closeOnSignals(served: Served, { logger, drain }: Log): void {
  closeWithGrace({ delay: graceMs, logger }, async ({ signal, err }) => {
    const startMs = performance.now()
    if (err === undefined) logger.info({ signal }, 'closing')
    else logger.fatal({ err }, 'ending, because of an error that nothing has caught')
    const cutOff = setTimeout(() => served.app.server.closeAllConnections(), drainMs)
    await closeInOrder(served)
    clearTimeout(cutOff)
    logger.info({ ms: Math.round(performance.now() - startMs) }, 'closed')
    await drain(drainLogMs)
  })
}

function sayToPeople(text: string): void {
  // Whoever started the service may have left; it serves all the same.
  process.stdout.on('error', () => undefined)
  process.stdout.write(text)
}

function refuseToStart(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
