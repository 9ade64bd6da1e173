import type { ServiceSettings } from '../http/service.ts'
import { freePort } from '../measure/free-port.ts'
import { startCollector } from './collector.ts'
import { startRedis } from './redis.ts'

/** What a part needs while it is on: the settings that turn it on, and whatever runs beside the server then. */
type PartNeeds = {
  readonly settings: ServiceSettings
  /** What clients send beside their tokens. */
  readonly headers?: Readonly<Record<string, string>>
  stop?(): Promise<unknown>
}

/** A part of the server that a deployment may turn on. */
export type Part = {
  readonly name: string
  readonly label: string
  /** Gets ready what it needs, or says what is missing here. */
  prepare(scratchFile: string): Promise<PartNeeds | { readonly missing: string }>
}

const withSettings = (settings: ServiceSettings) => async (): Promise<PartNeeds> => ({ settings })

const origin = 'https://shop.example'

/** Every part, by the settings that turn it on. */
export const parts: readonly Part[] = [
  { name: 'log', label: 'a log line for each request', prepare: withSettings({ LOG_LEVEL: 'info' }) },
  {
    name: 'metrics',
    label: 'metrics',
    prepare: async () => ({ settings: { ADMIN_HOST: '127.0.0.1', ADMIN_PORT: String(await freePort()) } }),
  },
  {
    name: 'tracing',
    label: 'tracing, every request, to a collector on the same machine',
    async prepare() {
      const { url, stop } = await startCollector()
      const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_EXPORTER: 'otlp', OTEL_SERVICE_NAME: 'bench' }
      return { settings, stop }
    },
  },
  {
    name: 'redis-limits',
    label: 'limits that are counted in Redis, on the same machine',
    async prepare() {
      const redis = await startRedis()
      return 'missing' in redis ? redis : { settings: { RATE_LIMIT_REDIS_URL: redis.url }, stop: redis.stop }
    },
  },
  {
    name: 'cors',
    label: 'CORS, for requests of a web page',
    prepare: async () => ({ settings: { CORS_ORIGINS: origin }, headers: { Origin: origin } }),
  },
  {
    name: 'sqlite',
    label: 'the SQLite store, instead of memory',
    prepare: async (SQLITE_FILE) => ({ settings: { SQLITE_FILE } }),
  },
]
