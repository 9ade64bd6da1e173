import * as v from 'valibot'
import type { Configuration, StoreChoice, TokenKey } from './configuration.ts'
import { type Environment, type GivenSetting, gatherSettings, type ReadTextFile } from './given-settings.ts'
import { warningsOf } from './look-alikes.ts'
import { type SettingName, type Settings, settings, storeSettings } from './settings.ts'
import { readTracing } from './tracing.ts'

export type ConfigurationReading =
  | { readonly ok: true; readonly configuration: Configuration; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly faults: readonly string[]; readonly warnings: readonly string[] }

/**
 * Reads the configuration, or returns every fault in it: a line each, that names the setting and never its value. A warning
 * is a line as well, and stops nothing.
 */
export function readConfiguration(environment: Environment, readTextFile: ReadTextFile): ConfigurationReading {
  const { given, faults } = gatherSettings(environment, readTextFile)
  const result = v.safeParse(settings, Object.fromEntries([...given].map(([name, { value }]) => [name, value])))
  const tracing = readTracing(environment, result.success ? result.output.SERVICE_NAME : '')
  const allFaults = [
    ...faults,
    ...faultyValues(result.issues ?? [], given),
    ...faultyChoices(given, environment),
    ...faultyKeySet(given, environment),
    ...tracing.faults,
    ...(result.success ? faultyPorts(result.output, given) : []),
  ]
  const warnings = warningsOf(environment, given)
  if (!result.success || allFaults.length > 0) return { ok: false, faults: allFaults, warnings }
  return { ok: true, configuration: { ...configurationOf(result.output), ...tracing.found }, warnings }
}

function faultyValues(
  issues: readonly v.BaseIssue<unknown>[],
  given: ReadonlyMap<SettingName, GivenSetting>,
): readonly string[] {
  const origins = new Map<string, GivenSetting>(given)
  const faults = new Map<string, string>()
  for (const { path, message } of issues) {
    const name = String(path?.[0]?.key)
    if (!faults.has(name)) faults.set(name, `${name} (${origins.get(name)?.origin}): ${message}`)
  }
  return [...faults.values()]
}

/** Settings of which one excludes the others. */
const choices: readonly {
  readonly names: readonly SettingName[]
  readonly what: string
  readonly isRequired: boolean
}[] = [
  { names: ['JWT_SECRET', 'JWT_PUBLIC_KEY', 'JWT_JWKS_URL'], what: 'kinds of key', isRequired: true },
  // None of them is needed in production either: what is kept by default outlives the process.
  { names: storeSettings, what: 'stores', isRequired: false },
]

function faultyChoices(given: ReadonlyMap<SettingName, GivenSetting>, environment: Environment): readonly string[] {
  return choices.flatMap(({ names, what, isRequired }) => {
    const chosen = names.filter((name) => given.has(name))
    if (chosen.length > 1) {
      const named = chosen.map((name) => `${name} (${given.get(name)?.origin})`)
      return [`${named.join(' and ')}: are several ${what}; give one`]
    }
    if (!isRequired || chosen.length === 1 || environment['NODE_ENV'] !== 'production') return []
    return [`${names.join(', ')}: one of them is required under NODE_ENV=production`]
  })
}

/** A key set that somebody on the way could change is as good as none. */
function faultyKeySet(given: ReadonlyMap<SettingName, GivenSetting>, environment: Environment): readonly string[] {
  const keySet = given.get('JWT_JWKS_URL')
  if (environment['NODE_ENV'] !== 'production' || !isOpenToOthers(keySet?.value)) return []
  return [`JWT_JWKS_URL (${keySet?.origin}): ${httpsRule}`]
}

/** One port is for one of them, whatever the hosts. Port 0 is any that is free, and never the same. */
function faultyPorts(
  { PORT: port, ADMIN_PORT: adminPort }: Settings,
  given: ReadonlyMap<SettingName, GivenSetting>,
): readonly string[] {
  if (adminPort === undefined || adminPort === 0 || adminPort !== port) return []
  return [`ADMIN_PORT (${given.get('ADMIN_PORT')?.origin}): must be another than PORT, which is ${port}`]
}

const httpsRule = 'must begin with https:// under NODE_ENV=production, but for a server on this very machine'

/** Whether somebody on the way could put keys of their own into what an address answers. */
function isOpenToOthers(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function configurationOf(given: Settings): Configuration {
  return {
    host: given.HOST,
    port: given.PORT,
    ...(given.ADMIN_PORT !== undefined && { admin: { host: given.ADMIN_HOST, port: given.ADMIN_PORT } }),
    store: storeOf(given),
    storeWaitMs: given.STORE_WAIT_SECONDS * 1000,
    ...tokenKeyOf(given),
    tokens: {
      ...(given.JWT_ISSUER !== undefined && { issuer: given.JWT_ISSUER }),
      ...(given.JWT_AUDIENCE !== undefined && { audience: given.JWT_AUDIENCE }),
      permissionClaims: given.JWT_PERMISSION_CLAIMS,
      ...(given.JWT_SUBJECT_CLAIM !== undefined && { subjectClaim: given.JWT_SUBJECT_CLAIM }),
    },
    permissionValues: {
      'Auctions.Create': given.PERMISSIONS_AUCTIONS_CREATE ?? `${given.SERVICE_NAME}:Auctions:Create`,
      'Bids.Create': given.PERMISSIONS_BIDS_CREATE ?? `${given.SERVICE_NAME}:Bids:Create`,
      'Auctions.Cancel': given.PERMISSIONS_AUCTIONS_CANCEL ?? `${given.SERVICE_NAME}:Auctions:Cancel`,
      'Auctions.Read': given.PERMISSIONS_AUCTIONS_READ,
      'Bids.Read': given.PERMISSIONS_BIDS_READ,
      'Auctions.Reserve.Read': given.PERMISSIONS_AUCTIONS_RESERVE_READ ?? `${given.SERVICE_NAME}:Auctions:Reserve:Read`,
    },
    rateLimit: {
      max: given.RATE_LIMIT_MAX,
      anonymousMax: given.RATE_LIMIT_ANONYMOUS_MAX,
      windowSeconds: given.RATE_LIMIT_WINDOW_SECONDS,
      ...(given.RATE_LIMIT_REDIS_URL !== undefined && { redisUrl: given.RATE_LIMIT_REDIS_URL }),
    },
    ...(given.TRUST_PROXY !== undefined && { trustedProxies: given.TRUST_PROXY }),
    connectionLimits: {
      requestTimeoutSeconds: given.REQUEST_TIMEOUT_SECONDS,
      idleTimeoutSeconds: given.IDLE_TIMEOUT_SECONDS,
      maxConnections: given.MAX_CONNECTIONS,
      maxConnectionsPerAddress: given.MAX_CONNECTIONS_PER_ADDRESS ?? Math.ceil(given.MAX_CONNECTIONS / 8),
      maxUnreadBytesPerCaller: given.MAX_UNREAD_BYTES_PER_CALLER,
      maxUnreadBytes: given.MAX_UNREAD_BYTES,
    },
    corsOrigins: given.CORS_ORIGINS ?? [],
    maxRequestsAtOnce: given.MAX_REQUESTS_AT_ONCE,
    shutdownMs: given.SHUTDOWN_SECONDS * 1000,
    limits: {
      clockSkewMs: given.CLOCK_SKEW_SECONDS * 1000,
      deadlineMs: given.REQUEST_DEADLINE_SECONDS * 1000,
    },
    logLevel: given.LOG_LEVEL,
  }
}

function storeOf({ MONGODB_URI, POSTGRESQL_URI, SQLITE_FILE: file, STORE }: Settings): StoreChoice {
  if (MONGODB_URI !== undefined) return { kind: 'mongodb', uri: MONGODB_URI }
  if (POSTGRESQL_URI !== undefined) return { kind: 'postgresql', uri: POSTGRESQL_URI }
  return STORE === 'memory' ? { kind: 'memory' } : { kind: 'sqlite', file }
}

function tokenKeyOf(given: Settings): { readonly tokenKey?: TokenKey } {
  const { JWT_SECRET, JWT_PUBLIC_KEY, JWT_JWKS_URL, JWT_JWKS_MAX_STALE_SECONDS: maxStaleSeconds } = given
  if (JWT_SECRET !== undefined) return { tokenKey: { kind: 'secret', secret: JWT_SECRET } }
  if (JWT_PUBLIC_KEY !== undefined) return { tokenKey: { kind: 'public-key', publicKey: JWT_PUBLIC_KEY } }
  if (JWT_JWKS_URL !== undefined) return { tokenKey: { kind: 'key-set', url: JWT_JWKS_URL, maxStaleSeconds } }
  return {}
}
