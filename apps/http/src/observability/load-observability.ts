import type { Observer } from '@auction/domain/observer'
import type { Logger } from 'pino'
import type { Configuration } from '../configuration/configuration.ts'
import type { ServerWatch } from '../server/watch.ts'
import { combineObservers, combineWatches } from './combine.ts'
import type { Instrument } from './instrument.ts'

/** All that looks at the service, as far as the configuration asks for it. */
export type Observability = Omit<Instrument, 'observer' | 'watch'> & {
  readonly observer: Observer | undefined
  readonly watch: ServerWatch | undefined
}

/** Loads what is asked for, and nothing else: what is off costs nothing, neither at the start nor on the way of a request. */
export async function loadObservability(
  { admin, tracing }: Pick<Configuration, 'admin' | 'tracing'>,
  logger: Logger,
): Promise<Observability> {
  const instruments: Instrument[] = []
  if (admin !== undefined) {
    const { createMetricsInstrument } = await import('./metrics/instrument.ts')
    instruments.push(createMetricsInstrument(admin))
  }
  if (tracing !== undefined) {
    const { createTracingInstrument } = await import('./tracing/instrument.ts')
    instruments.push(createTracingInstrument(tracing, logger))
  }
  const unreadable: Observer = {
    onUnreadable: (err) => logger.error({ err }, 'stored data can not be read, and is left out of lists and closings'),
  }
  return {
    observer: combineObservers([unreadable, ...instruments.map(({ observer }) => observer)]),
    watch: combineWatches(instruments.map(({ watch }) => watch)),
    observe: (service) => instruments.reduce((observed, { observe }) => observe(observed), service),
    async listen() {
      const places = await Promise.all(instruments.map(({ listen }) => listen()))
      return places.find((place) => place !== undefined)
    },
    close: async () => void (await Promise.all(instruments.map(({ close }) => close()))),
  }
}
