import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { systemClock } from '@auction/adapters/system'
import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { banner, trialBanner } from './banner.ts'
import { readConfiguration } from './configuration/read-configuration.ts'
import { runtimeFault } from './runtime.ts'
import { buildServer } from './server/build-server.ts'
import { listen } from './server/listen.ts'
import { type OpenStore, openStore } from './server/store.ts'

// A client that stops in the middle of its request holds up the end for no longer than this.
const drainMs = 8_000
const graceMs = 15_000

await main()

async function main(): Promise<void> {
  const unsafe = runtimeFault(process.versions.node)
  if (unsafe !== undefined) {
    refuseToStart([unsafe])
    return
  }
  const reading = readConfiguration(process.env, (path) => readFileSync(path, 'utf8'))
  if (!reading.ok) {
    refuseToStart(reading.faults)
    return
  }
  const { configuration, strayVariables } = reading
  // Lines are written behind the requests that they tell of; what is left is written when the process ends.
  const logger = pino({ level: configuration.logLevel }, pino.destination({ dest: 1, sync: false }))
  for (const name of strayVariables) logger.warn(`the environment has ${name}, which is not a setting of this service`)

  let store: OpenStore
  try {
    store = await openStore(configuration.mongodbUri, (notice) => logger.warn(notice))
  } catch (error) {
    refuseToStart([`MONGODB_URI: ${messageOf(error)}`])
    return
  }
  const tokenKey = configuration.tokenKey ?? { kind: 'secret', secret: randomBytes(32).toString('base64url') }
  const app = await buildServer({ configuration: { ...configuration, tokenKey }, store, clock: systemClock, logger })
  let url: string
  try {
    url = await listen(app, configuration.host, configuration.port)
  } catch (error) {
    await store.close()
    refuseToStart([
      `HOST, PORT: can't listen on ${configuration.host}, port ${configuration.port}: ${messageOf(error)}`,
    ])
    return
  }
  closeWithGrace({ delay: graceMs, logger }, async ({ signal, err }) => {
    if (err === undefined) logger.info({ signal }, 'closing')
    else logger.fatal({ err }, 'ending, because of an error that nothing has caught')
    const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMs)
    await app.close()
    clearTimeout(cutOff)
    await store.close()
  })
  process.stdout.write(banner(url, store.description))
  if (configuration.tokenKey === undefined) {
    const nextAuctionId = await store.auctionIds.peek()
    const signToken = (claims: object) => app.jwt.sign(claims)
    process.stdout.write(trialBanner({ url, configuration, signToken, nextAuctionId, nowMs: systemClock.nowMs() }))
  }
}

function refuseToStart(faults: readonly string[]): void {
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = 1
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
