import { once } from 'node:events'
import { Writable } from 'node:stream'
import { createManualClock, createMemoryStore, type ManualClock } from '@auction/adapters/memory'
import { type AuctionService, createAuctionService } from '@auction/domain/service'
import type { Store } from '@auction/domain/store'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { readConfiguration } from '../../src/configuration/read-configuration.ts'
import { createLogger } from '../../src/log/logger.ts'
import type { Metrics } from '../../src/observability/metrics/metrics.ts'
import { buildServer } from '../../src/server/build-server.ts'
import { createReadiness } from '../../src/server/health.ts'
import { listen } from '../../src/server/listen.ts'
import { secret } from './tokens.ts'

/** A server on a port of its own, with a clock that the test moves, and what it has stored and logged. */
export type TestServer = {
  readonly url: string
  readonly port: number
  readonly app: FastifyInstance
  readonly service: AuctionService
  readonly clock: ManualClock
  readonly store: Store
  readonly log: readonly string[]
  /** Waits until so many lines of the log hold what is asked for. */
  logged(pattern: RegExp, times?: number): Promise<void>
}

export type TestServerOptions = {
  /** As in the environment; without a key, tokens are of the tests' secret. */
  readonly environment?: Readonly<Record<string, string>>
  /** Stands in for parts of the in-memory store. */
  readonly replaceInStore?: (store: Store) => Partial<Store>
  /** How the store answers to the question whether it is there. */
  readonly ping?: () => Promise<void>
  /** Counts what happens. */
  readonly metrics?: Metrics
}

/** In the middle of the auctions that `newAuction` describes. */
const startOfTests = '2030-01-31T12:00:00Z'

/** Starts the server that production builds, for one test. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
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
  const store = createMemoryStore()
  const { limits, logLevel } = reading.configuration
  const logger = createLogger(logLevel, lines)
  const readiness = createReadiness(logger)
  const service = createAuctionService({
    store: readiness.watch({ ...store, ...replaceInStore?.(store), ping }),
    clock,
    limits,
    ...(metrics && { observer: metrics.observer }),
  })
  metrics?.watchBacklog(service.backlog)
  const configuration = { ...reading.configuration, tokenKey }
  const app = await buildServer({ configuration, service, clock, logger, readiness, watch: metrics?.watch })
  const { url } = await listen(app, '127.0.0.1', 0)
  onTestFinished(async () => {
    await app.close()
    await service.close()
  })
  return { url, port: Number(new URL(url).port), app, service, clock, store, log, logged }

  async function logged(pattern: RegExp, times = 1): Promise<void> {
    while (log.filter((line) => pattern.test(line)).length < times) await once(lines, 'line')
  }
}
