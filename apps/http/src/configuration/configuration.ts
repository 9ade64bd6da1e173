import type { Permission } from '@auction/adapters/jwt'
import type { TokenKey } from '@auction/host/security'
import type { Settings } from './settings.ts'
import type { TracingVariables } from './tracing.ts'
import { type WebhookEndpoint, webhookTypes } from './webhooks.ts'

export type StoreChoice =
  | { readonly kind: 'mongodb' | 'postgresql'; readonly uri: string }
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'memory' }

export type Configuration = ReturnType<typeof configurationOf>

/** The settings as the service uses them: grouped by its parts, with the defaults that depend on other settings. */
export function configurationOf(given: Settings, traced: TracingVariables | undefined) {
  const named = (permission: string) => `${given.SERVICE_NAME}:${permission}`
  return {
    host: given.HOST,
    port: given.PORT,
    hasPage: given.PAGE === 'on',
    admin: given.ADMIN_PORT === undefined ? undefined : { host: given.ADMIN_HOST, port: given.ADMIN_PORT },
    tracing: traced && {
      sampler: traced.OTEL_TRACES_SAMPLER,
      ratio: traced.OTEL_TRACES_SAMPLER_ARG,
      serviceName: given.SERVICE_NAME,
    },
    store: storeOf(given),
    storeWaitMs: given.STORE_WAIT_SECONDS * 1000,
    /** The server creates a secret if it is undefined. */
    tokenKey: tokenKeyOf(given),
    tokens: {
      issuer: given.JWT_ISSUER,
      audience: given.JWT_AUDIENCE,
      permissionClaims: given.JWT_PERMISSION_CLAIMS,
      subjectClaim: given.JWT_SUBJECT_CLAIM,
      clockToleranceMs: given.JWT_CLOCK_TOLERANCE_SECONDS * 1000,
    },
    /** Any valid token has a permission whose value is undefined. */
    permissionValues: {
      'Auctions.Create': given.PERMISSIONS_AUCTIONS_CREATE ?? named('Auctions:Create'),
      'Bids.Create': given.PERMISSIONS_BIDS_CREATE ?? named('Bids:Create'),
      'Auctions.Cancel': given.PERMISSIONS_AUCTIONS_CANCEL ?? named('Auctions:Cancel'),
      'Auctions.Cancel.Any': given.PERMISSIONS_AUCTIONS_CANCEL_ANY ?? named('Auctions:Cancel:Any'),
      'Auctions.Update': given.PERMISSIONS_AUCTIONS_UPDATE ?? named('Auctions:Update'),
      'Auctions.Read': given.PERMISSIONS_AUCTIONS_READ,
      'Bids.Read': given.PERMISSIONS_BIDS_READ,
      'Auctions.Reserve.Read': given.PERMISSIONS_AUCTIONS_RESERVE_READ ?? named('Auctions:Reserve:Read'),
      'Bidders.Read': given.PERMISSIONS_BIDDERS_READ ?? named('Bidders:Read'),
    } satisfies Record<Permission, string | undefined>,
    pseudonymSecret: given.PSEUDONYM_SECRET,
    hasAnonymousReads: given.ANONYMOUS_READS === 'on',
    rateLimit: {
      max: given.RATE_LIMIT_MAX,
      anonymousMax: given.RATE_LIMIT_ANONYMOUS_MAX,
      windowSeconds: given.RATE_LIMIT_WINDOW_SECONDS,
      redisUrl: given.RATE_LIMIT_REDIS_URL,
    },
    trustedProxies: given.TRUST_PROXY,
    connectionLimits: {
      requestTimeoutSeconds: given.REQUEST_TIMEOUT_SECONDS,
      idleTimeoutSeconds: given.IDLE_TIMEOUT_SECONDS,
      maxConnections: given.MAX_CONNECTIONS,
      maxConnectionsPerAddress: given.MAX_CONNECTIONS_PER_ADDRESS ?? Math.ceil(given.MAX_CONNECTIONS / 8),
    },
    streamLimits: { maxStreams: given.MAX_STREAMS, maxStreamsPerCaller: given.MAX_STREAMS_PER_CALLER },
    corsOrigins: given.CORS_ORIGINS ?? [],
    webhooks: webhooksOf(given),
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

function tokenKeyOf(given: Settings): TokenKey | undefined {
  const { JWT_SECRET: secret, JWT_PUBLIC_KEY: publicKey, JWT_JWKS_URL: url } = given
  if (secret !== undefined) return { kind: 'secret', secret }
  if (publicKey !== undefined) return { kind: 'public-key', publicKey }
  return url && { kind: 'key-set', url, maxStaleSeconds: given.JWT_JWKS_MAX_STALE_SECONDS }
}

function webhooksOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: secrets, ...given }: Settings): readonly WebhookEndpoint[] {
  const { WEBHOOK_EVENTS: types = [...webhookTypes], WEBHOOKS: endpoints = [] } = given
  if (url === undefined || secrets === undefined) return endpoints
  return [{ name: 'default', url, secrets, types, hasPseudonyms: false }]
}
