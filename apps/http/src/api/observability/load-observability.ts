import type { DeliveryObserver } from '@auction/delivery'
import type { Backlog, Observer } from '@auction/domain'
import type { Logger } from 'pino'
import type { Configuration } from '../../configuration/configuration.ts'
import { logWebhooks } from '../webhooks/log.ts'
import type { HttpObserver, Instrument } from './instrument.ts'

export type Observability = Awaited<ReturnType<typeof loadObservability>>

/** Loads only the instruments that the configuration enables: a disabled one has no cost. */
export async function loadObservability(
  { admin, tracing, store }: Pick<Configuration, 'admin' | 'tracing' | 'store'>,
  logger: Logger,
) {
  const sqliteFile = store.kind === 'sqlite' ? store.file : undefined
  const metrics = admin && (await import('./metrics.ts')).createMetricsInstrument(admin, sqliteFile)
  const traces = tracing && (await import('./tracing.ts')).createTracingInstrument(tracing, logger)
  const instruments: readonly Instrument[] = [metrics, traces].filter((instrument) => instrument !== undefined)
  const logged: Observer & DeliveryObserver = {
    onUnreadable: (err) => logger.error({ err }, 'stored data is unreadable; lists and closings omit it'),
    onBidsUnopened: ({ auctionId, error: err }) =>
      logger.error({ err, auctionId }, 'an auction has no result, because a sealed bid cannot be opened'),
    ...logWebhooks(logger),
  }
  return {
    observer: combine<Observer & DeliveryObserver>([logged, ...instruments.map(({ observer = {} }) => observer)]),
    httpObserver: combine<HttpObserver>(instruments.map(({ httpObserver }) => httpObserver)),
    /** Sets the function that reads the backlog of the service for each scrape. */
    observeBacklog: (read: () => Backlog): void => metrics?.observeBacklog(read),
    /** Serves the metrics, if they are enabled, and returns their URL. @throws Node's errors, such as EADDRINUSE */
    listen: async () => metrics?.listen(),
    close: async () => void (await Promise.all(instruments.map(({ close }) => close()))),
  }
}

type Callbacks = Readonly<Record<string, ((...values: never[]) => unknown) | undefined>>

/**
 * Callbacks that call those of all parts. Where these return functions for the end of an event, the result calls all of
 * them.
 */
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
