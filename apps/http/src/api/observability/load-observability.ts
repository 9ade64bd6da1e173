import type { Observer } from '@auction/domain'
import type { Logger } from 'pino'
import type { Configuration } from '../../configuration/configuration.ts'
import { combineObservers, combineWatches } from './combine.ts'
import type { Instrument, Watch } from './instrument.ts'

/** The instruments that the configuration enables, as one. */
export type Observability = Omit<Instrument, 'observer' | 'watch'> & {
  readonly observer: Observer | undefined
  readonly watch: Watch | undefined
}

/** Loads only the enabled instruments: a disabled one has no cost. */
export async function loadObservability(
  { admin, tracing, store }: Pick<Configuration, 'admin' | 'tracing' | 'store'>,
  logger: Logger,
): Promise<Observability> {
  const instruments: Instrument[] = []
  if (admin !== undefined) {
    const { createMetricsInstrument } = await import('./metrics/instrument.ts')
    instruments.push(createMetricsInstrument(admin, store.kind === 'sqlite' ? store.file : undefined))
  }
  if (tracing !== undefined) {
    const { createTracingInstrument } = await import('./tracing/instrument.ts')
    instruments.push(createTracingInstrument(tracing, logger))
  }
  const unreadable: Observer = {
    onUnreadable: (err) => logger.error({ err }, 'stored data is unreadable; lists and closings omit it'),
  }
  return {
    observer: combineObservers([unreadable, ...instruments.map(({ observer }) => observer)]),
    watch: combineWatches(instruments.map(({ watch }) => watch)),
    observe: (service) => instruments.reduce((observed, { observe }) => observe(observed), service),
    async listen() {
      const urls = await Promise.all(instruments.map(({ listen }) => listen()))
      return urls.find((url) => url !== undefined)
    },
    close: async () => void (await Promise.all(instruments.map(({ close }) => close()))),
  }
}
