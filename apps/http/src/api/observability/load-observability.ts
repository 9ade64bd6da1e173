import type { AuctionService, Observer, SubscriptionStatus } from '@auction/domain'
import type { ServerWatch } from '@auction/host/server'
import type { Logger } from 'pino'
import type { Configuration } from '../../configuration/configuration.ts'
import type { ClosingRun } from '../closing.ts'
import { logWebhooks } from '../webhooks/log.ts'

export type Watch = ServerWatch & {
  /** Called for each new event of a followed auction, with the milliseconds since it was recorded. */
  readonly onEvent?: (delayMs: number) => void
  readonly onClosingRun?: (run: ClosingRun) => void
  /** Called for each endpoint of webhooks, with a function that returns its queue. */
  readonly onEndpoint?: (name: string, status: () => SubscriptionStatus) => void
}

export type Instrument = {
  readonly observer: Observer
  readonly watch: Watch
  /** Wraps the service for the server. */
  readonly observe: (service: AuctionService) => AuctionService
  /** Stops the endpoint and sends pending data, within a time limit. */
  readonly close: () => Promise<void>
}

export type Observability = Awaited<ReturnType<typeof loadObservability>>

/** Loads only the instruments that the configuration enables: a disabled one has no cost. */
export async function loadObservability(
  { admin, tracing, store }: Pick<Configuration, 'admin' | 'tracing' | 'store'>,
  logger: Logger,
) {
  const sqliteFile = store.kind === 'sqlite' ? store.file : undefined
  const metrics = admin && (await import('./metrics/metrics.ts')).createMetricsInstrument(admin, sqliteFile)
  const traces = tracing && (await import('./tracing.ts')).createTracingInstrument(tracing, logger)
  const instruments: readonly Instrument[] = [metrics, traces].filter((instrument) => instrument !== undefined)
  const logged: Observer = {
    onUnreadable: (err) => logger.error({ err }, 'stored data is unreadable; lists and closings omit it'),
    ...logWebhooks(logger),
  }
  return {
    observer: combine<Observer>([logged, ...instruments.map(({ observer }) => observer)]),
    watch: combine<Watch>(instruments.map(({ watch }) => watch)),
    observe: (service: AuctionService) => instruments.reduce((observed, { observe }) => observe(observed), service),
    /** Serves the metrics, if they are enabled, and returns their URL. @throws Node's errors, such as EADDRINUSE */
    listen: async () => metrics?.listen(),
    close: async () => void (await Promise.all(instruments.map(({ close }) => close()))),
  }
}

type Callbacks = Readonly<Record<string, ((...values: never[]) => unknown) | undefined>>

/** Callbacks that call those of all parts. Where these return functions for the end of an event, the result calls all of them. */
function combine<Part extends Callbacks>(parts: readonly Part[]): Part {
  const callAll =
    (name: string) =>
    (...values: never[]) => {
      const ends = parts.map((part) => part[name]?.(...values)).filter((end) => typeof end === 'function')
      return (...results: never[]) => {
        for (const end of ends) end(...results)
      }
    }
  const names = new Set(parts.flatMap((part) => Object.keys(part)))
  // The cast: each name has a callback of its type.
  return Object.fromEntries([...names].map((name) => [name, callAll(name)])) as Part
}
