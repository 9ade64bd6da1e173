import { once } from 'node:events'
import { Writable } from 'node:stream'
import { createManualClock, createMemorySealer, createMemoryStore, type ManualClock } from '@auction/adapters/memory'
import { createDelivery } from '@auction/delivery'
import type { Checkpoints } from '@auction/delivery/checkpoints'
import { type AuctionService, createAuctionService, type Sealer } from '@auction/domain'
import type { Store } from '@auction/domain/store'
import { listen } from '@auction/host/listen'
import { createLogger } from '@auction/host/log'
import { afterAll, beforeEach, onTestFinished } from 'vitest'
import { loadObservability } from '../../src/api/observability/load-observability.ts'
import type { Metrics } from '../../src/api/observability/metrics.ts'
import { createReadiness } from '../../src/api/readiness.ts'
import { type BuiltServer, buildServer } from '../../src/build-server.ts'
import { readConfiguration } from '../../src/configuration/read-configuration.ts'
import { secret } from './tokens.ts'

/** A server on a free port, with a clock that tests set, its store and its log. */
export type TestServer = Pick<BuiltServer, 'app' | 'lifecycle' | 'streams'> & {
  readonly url: string
  readonly port: number
  readonly service: AuctionService
  readonly clock: ManualClock
  readonly store: Store
  readonly log: readonly string[]
  /** Waits until this many lines of the log match. */
  logged(pattern: RegExp, times?: number): Promise<void>
}

export type TestServerOptions = {
  /** The environment variables. Without a key, the server verifies tokens by the secret of the tests. */
  readonly environment?: Readonly<Record<string, string>>
  /** In memory by default. The test closes it. */
  readonly store?: Store
  /** In memory by default. */
  readonly checkpoints?: Checkpoints
  /** Replaces parts of the store. */
  readonly replaceInStore?: (store: Store) => Partial<Store>
  /** Responds to readiness checks for the store. */
  readonly ping?: () => Promise<void>
  readonly metrics?: Metrics
  /** By default one that hides nothing, and leaves out no ids. */
  readonly sealer?: Sealer
}

/** `newAuction` is active at this time. */
const startOfTests = '2030-01-31T12:00:00Z'

/** Starts a server for one test. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { server, close } = await openServer(options)
  onTestFinished(close)
  return server
}

/**
 * Starts one server for all tests of a file, with no limit on requests by default. Each test creates its own auctions and callers:
 * see `openAuction`. The clock is reset before each test.
 */
export async function serverOfFile({ environment, ...options }: TestServerOptions = {}): Promise<TestServer> {
  const unlimited = { RATE_LIMIT_MAX: '1000000', RATE_LIMIT_ANONYMOUS_MAX: '1000000' }
  const { server, close } = await openServer({ ...options, environment: { ...unlimited, ...environment } })
  beforeEach(() => server.clock.set(startOfTests))
  afterAll(close)
  return server
}

/** Starts the server that production builds. */
async function openServer(options: TestServerOptions) {
  const { environment = {}, replaceInStore, ping = async () => undefined, metrics } = options
  const hasKey = Object.keys(environment).some((name) => /^JWT_(SECRET|PUBLIC_KEY|JWKS_URL)$/.test(name))
  const reading = readConfiguration({ ...(!hasKey && { JWT_SECRET: secret }), ...environment }, () => '')
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  const { tokenKey } = reading.configuration
  if (tokenKey === undefined) throw new Error('tests give a key')

  const log: string[] = []
  const lines = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
      lines.emit('line')
    },
  })
  const clock = createManualClock(startOfTests)
  const memory = createMemoryStore()
  const { store = memory, checkpoints = memory.checkpoints } = options
  const { limits, logLevel, webhooks } = reading.configuration
  const logger = createLogger(logLevel, lines)
  const readiness = createReadiness(logger)
  const monitored = readiness.monitor({ ...store, ...replaceInStore?.(store), ping })
  const { observer, httpObserver, observeBacklog } = metrics ?? (await loadObservability(reading.configuration, logger))
  const { sealer = createMemorySealer() } = options
  const service = createAuctionService({ store: monitored, clock, limits, observer, sealer })
  const delivery = webhooks.length > 0 ? createDelivery({ service, checkpoints, observer }) : undefined
  observeBacklog(service.backlog)
  const configuration = { ...reading.configuration, tokenKey }
  const built = await buildServer({ configuration, delivery, service, clock, logger, readiness, httpObserver })
  const { url } = await listen(built.app, '127.0.0.1', 0)
  const server: TestServer = { url, port: Number(new URL(url).port), ...built, service, clock, store, log, logged }
  return { server, close }

  async function close(): Promise<void> {
    await built.app.close()
    await delivery?.close()
    await service.close()
  }

  async function logged(pattern: RegExp, times = 1): Promise<void> {
    while (log.filter((line) => pattern.test(line)).length < times) await once(lines, 'line')
  }
}

/**
 * A server whose store begins an operation, by default to create an auction, only after `release`. `begun` resolves with the first
 * call, and `calls` counts them.
 */
export async function startHeldServer(
  environment: Readonly<Record<string, string>> = {},
  operation: keyof Store = 'insertAuction',
): Promise<TestServer & { readonly begun: Promise<void>; calls(): number; release(): void }> {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let calls = 0
  const server = await startServer({
    environment,
    replaceInStore: (store) => ({
      [operation]: async (...values: unknown[]) => {
        calls += 1
        begun.resolve()
        await held.promise
        // The cast: the values are those of the operation.
        return (store[operation] as (...given: unknown[]) => unknown)(...values)
      },
    }),
  })
  // The server closes even if the test fails first.
  onTestFinished(() => held.resolve())
  return { ...server, begun: begun.promise, calls: () => calls, release: () => held.resolve() }
}
