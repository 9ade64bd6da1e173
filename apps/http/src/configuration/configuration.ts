import type { TokenKey } from '@auction/host/security'
import { permissionValuesOf } from './permissions.ts'
import type { Settings } from './settings.ts'
import type { TracingVariables } from './tracing.ts'
import { type WebhookEndpoint, webhookTypes } from './webhooks.ts'

export type StoreChoice =
  | { readonly kind: 'mongodb' | 'postgresql'; readonly uri: string }
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'memory' }

export type Configuration = ReturnType<typeof configurationOf>

/** The settings as the service uses them: grouped by its parts, with the defaults that depend on other settings. */
export function configurationOf(settings: Settings, traced: TracingVariables | undefined) {
  return {
    host: settings.HOST,
    port: settings.PORT,
    hasPage: settings.PAGE === 'on',
    admin: settings.ADMIN_PORT === undefined ? undefined : { host: settings.ADMIN_HOST, port: settings.ADMIN_PORT },
    tracing: traced && {
      sampler: traced.OTEL_TRACES_SAMPLER,
      ratio: traced.OTEL_TRACES_SAMPLER_ARG,
      serviceName: settings.SERVICE_NAME,
    },
    store: storeOf(settings),
    /** If it is undefined, a file next to the database may have the key. */
    sealedBidsKeys: settings.SEALED_BIDS_KEY,
    storeWaitMs: settings.STORE_WAIT_SECONDS * 1000,
    /** The server creates a secret if it is undefined. */
    tokenKey: tokenKeyOf(settings),
    tokens: {
      issuer: settings.JWT_ISSUER,
      audience: settings.JWT_AUDIENCE,
      permissionClaims: settings.JWT_PERMISSION_CLAIMS,
      subjectClaim: settings.JWT_SUBJECT_CLAIM,
      admissionClaim: settings.JWT_ADMISSION_CLAIM,
      clockToleranceMs: settings.JWT_CLOCK_TOLERANCE_SECONDS * 1000,
    },
    /** Any valid token has a permission whose value is undefined. */
    permissionValues: permissionValuesOf(settings),
    pseudonymSecret: settings.PSEUDONYM_SECRET,
    hasAnonymousReads: settings.ANONYMOUS_READS === 'on',
    rateLimit: {
      max: settings.RATE_LIMIT_MAX,
      anonymousMax: settings.RATE_LIMIT_ANONYMOUS_MAX,
      windowSeconds: settings.RATE_LIMIT_WINDOW_SECONDS,
      redisUrl: settings.RATE_LIMIT_REDIS_URL,
    },
    trustedProxies: settings.TRUST_PROXY,
    connectionLimits: {
      requestTimeoutSeconds: settings.REQUEST_TIMEOUT_SECONDS,
      idleTimeoutSeconds: settings.IDLE_TIMEOUT_SECONDS,
      maxConnections: settings.MAX_CONNECTIONS,
      maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS ?? Math.ceil(settings.MAX_CONNECTIONS / 8),
    },
    streamLimits: { maxStreams: settings.MAX_STREAMS, maxStreamsPerCaller: settings.MAX_STREAMS_PER_CALLER },
    corsOrigins: settings.CORS_ORIGINS ?? [],
    webhooks: webhooksOf(settings),
    maxRequestsAtOnce: settings.MAX_REQUESTS_AT_ONCE,
    shutdownMs: settings.SHUTDOWN_SECONDS * 1000,
    limits: {
      clockSkewMs: settings.CLOCK_SKEW_SECONDS * 1000,
      deadlineMs: settings.REQUEST_DEADLINE_SECONDS * 1000,
    },
    logLevel: settings.LOG_LEVEL,
  }
}

function storeOf({ MONGODB_URI, POSTGRESQL_URI, SQLITE_FILE: file, STORE }: Settings): StoreChoice {
  if (MONGODB_URI !== undefined) return { kind: 'mongodb', uri: MONGODB_URI }
  if (POSTGRESQL_URI !== undefined) return { kind: 'postgresql', uri: POSTGRESQL_URI }
  return STORE === 'memory' ? { kind: 'memory' } : { kind: 'sqlite', file }
}

function tokenKeyOf(settings: Settings): TokenKey | undefined {
  const { JWT_SECRET: secret, JWT_PUBLIC_KEY: publicKey, JWT_JWKS_URL: url } = settings
  if (secret !== undefined) return { kind: 'secret', secret }
  if (publicKey !== undefined) return { kind: 'public-key', publicKey }
  return url && { kind: 'key-set', url, maxStaleSeconds: settings.JWT_JWKS_MAX_STALE_SECONDS }
}

function webhooksOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: secrets, ...settings }: Settings): readonly WebhookEndpoint[] {
  const { WEBHOOK_EVENTS: types = [...webhookTypes], WEBHOOKS: endpoints = [] } = settings
  if (url === undefined || secrets === undefined) return endpoints
  return [{ name: 'default', url, secrets, types, hasPseudonyms: false }]
}
