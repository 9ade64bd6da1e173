import * as v from 'valibot'
import { permissionSchemas, permissionSetting, permissions } from './permissions.ts'
import {
  claimName,
  claimNames,
  httpUrl,
  integer,
  type Metadata,
  mongodbUri,
  oneOf,
  optionalSetting,
  origins,
  postgresqlUri,
  publicKey,
  randomSecret,
  redisUrl,
  scopeToken,
  sealerKeys,
  setting,
  sqliteFile,
  text,
  tokenSecret,
  trustProxy,
} from './value-checks.ts'
import { webhookEvents, webhookList, webhookSecret } from './webhooks.ts'

/** Every setting, named as its environment variable, for the reference and `--help` too. All are optional. */
const groups = {
  Address: {
    HOST: setting(
      text('a host name or an IP address'),
      '127.0.0.1',
      'The address to listen on; `0.0.0.0` or `::` means all interfaces.',
    ),
    PORT: setting(integer(0, 65_535), 3000, 'The port to listen on; 0 means any free port.'),
    PAGE: setting(oneOf(['on', 'off']), 'on', '`on` serves the web page at `/`; `off` redirects browsers to `/docs`.'),
    ADMIN_HOST: setting(
      text('a host name or an IP address'),
      '127.0.0.1',
      'The address of `GET /metrics`, which needs no token: keep it on a private network.',
    ),
    ADMIN_PORT: optionalSetting(integer(0, 65_535), 'no metrics', 'The port of `GET /metrics`; 0 means any free port.'),
  },
  Store: {
    SQLITE_FILE: setting(
      sqliteFile,
      'data/auctions.sqlite',
      'Keeps everything in this SQLite file. Its folder is created if it does not exist.',
    ),
    MONGODB_URI: optionalSetting(
      mongodbUri,
      'none',
      'Keeps everything in the MongoDB database that the path names, by default `auctions`.',
    ),
    POSTGRESQL_URI: optionalSetting(
      postgresqlUri,
      'none',
      'Keeps everything in the schema `auctions` of this PostgreSQL database.',
    ),
    STORE: optionalSetting(
      oneOf(['memory'], '; for the other stores, set MONGODB_URI, POSTGRESQL_URI or SQLITE_FILE'),
      'none',
      'Keeps everything in memory until the process ends.',
    ),
    STORE_WAIT_SECONDS: setting(
      integer(0, 3_600, 'seconds'),
      30,
      'How long the service waits at startup for a store that does not respond or is locked. Until the store is open, `/livez` returns 200, and everything else 503.',
    ),
    SEALED_BIDS_KEY: optionalSetting(
      sealerKeys,
      'with SQLite, a key in a file next to it; else sealed auctions are refused',
      'The key that seals the amounts of sealed bids in the store. Without it, a start with SQLite creates a key file. While a key is replaced, several: the first one seals, and all open. Set the same value on all servers, and keep it: bids cannot be opened without their key.',
    ),
  },
  Tokens: {
    JWT_SECRET: optionalSetting(
      tokenSecret,
      'a random one, with a token to try the service',
      'The secret that signs tokens (HS256).',
    ),
    JWT_PUBLIC_KEY: optionalSetting(
      publicKey,
      'none',
      'The key that verifies tokens (RS, PS, ES or EdDSA). Its lines may be joined by a literal `\\n`.',
    ),
    JWT_JWKS_URL: optionalSetting(httpUrl, 'none', 'The URL of the key set (JWKS) of the issuer.'),
    JWT_JWKS_MAX_STALE_SECONDS: setting(
      integer(0, 86_400, 'seconds'),
      600,
      'How long a key set that is older than a minute remains in use if no newer one can be fetched.',
    ),
    JWT_ISSUER: optionalSetting(
      text('the issuer that tokens name'),
      'not checked',
      'The required value of the claim `iss`.',
    ),
    JWT_AUDIENCE: optionalSetting(
      text('the audience that tokens name'),
      'not checked',
      'The value that the claim `aud` must equal or contain. Set it if the issuer serves other services, too.',
    ),
    JWT_PERMISSION_CLAIMS: setting(
      claimNames,
      'permissions,scope',
      'The claims that contain permissions, each an array of strings or a string of space-separated values.',
    ),
    JWT_SUBJECT_CLAIM: optionalSetting(
      claimName,
      'callers may act for any user',
      'The claim that identifies the user of a caller. It must equal `ownerId`, `bidderId` or `buyerId`.',
    ),
    JWT_ADMISSION_CLAIM: optionalSetting(
      claimName,
      'only registers admit bidders',
      'The claim that admits the user of a caller to auctions of registers with `claims`: `{"7": {"limit": 5000}}` admits to register 7, up to 5000 in its currency, and `{"7": {}}` without a limit; up to 100 registers. It needs JWT_SUBJECT_CLAIM.',
    ),
    JWT_CLOCK_TOLERANCE_SECONDS: setting(
      integer(0, 300, 'seconds'),
      5,
      'How far the clocks of the issuer and of the server may differ: a token is valid this long before its `nbf` and after its `exp`.',
    ),
  },
  Permissions: {
    SERVICE_NAME: setting(scopeToken, 'auction-service', 'The prefix of the default permissions.'),
    ...permissionSchemas,
    PSEUDONYM_SECRET: optionalSetting(
      randomSecret,
      'ids of bidders are visible',
      'Hides the ids of other bidders. Set the same value on all servers.',
    ),
    ANONYMOUS_READS: setting(oneOf(['on', 'off']), 'off', '`on` lets anyone read auctions and bids without a token.'),
  },
  Limits: {
    RATE_LIMIT_MAX: setting(
      integer(1, 1_000_000_000, 'requests'),
      300,
      'How many reads, and separately how many writes, a caller may make in a window.',
    ),
    RATE_LIMIT_ANONYMOUS_MAX: setting(
      integer(1, 1_000_000_000, 'requests'),
      60,
      'How many requests without a valid token, and separately how many for `/docs`, an address may make in a window.',
    ),
    RATE_LIMIT_WINDOW_SECONDS: setting(
      integer(1, 1_000_000, 'seconds'),
      60,
      'The length of a window, over which a quota refills evenly.',
    ),
    RATE_LIMIT_REDIS_URL: optionalSetting(
      redisUrl,
      'each server counts separately',
      'The Redis server through which several servers share their counts. While it is unavailable, each server counts separately.',
    ),
    TRUST_PROXY: optionalSetting(
      trustProxy,
      'none',
      'The proxies whose `X-Forwarded-For` is trusted, so that each client is counted by its own address.',
    ),
  },
  Connections: {
    REQUEST_TIMEOUT_SECONDS: setting(
      integer(1, 3_600, 'seconds'),
      30,
      'How long a client may take to send a complete request.',
    ),
    IDLE_TIMEOUT_SECONDS: setting(
      integer(2, 3_600, 'seconds'),
      75,
      'How long a connection may stay idle, or leave a response unread.',
    ),
    MAX_CONNECTIONS: setting(integer(1, 1_000_000, 'connections'), 2_000, 'How many connections can be open at once.'),
    MAX_CONNECTIONS_PER_ADDRESS: optionalSetting(
      integer(1, 1_000_000, 'connections'),
      'an eighth of `MAX_CONNECTIONS`',
      'How many connections one address (for IPv6, one /64 network) can have open at once while more than half of `MAX_CONNECTIONS` are in use, unless it is in `TRUST_PROXY`.',
    ),
    MAX_REQUESTS_AT_ONCE: setting(
      integer(1, 1_000_000, 'requests'),
      512,
      'How many requests the service accepts at once during overload; the others get 503 `overloaded`.',
    ),
    MAX_STREAMS: setting(
      integer(0, 1_000_000, 'connections'),
      1_000,
      'How many event streams can be open at once; further ones get 503 `overloaded`. A stream counts toward `MAX_CONNECTIONS`. One address can have half of `MAX_CONNECTIONS_PER_ADDRESS`; further ones get 429 `rate-limited`.',
    ),
    MAX_STREAMS_PER_CALLER: setting(
      integer(1, 1_000_000, 'connections'),
      100,
      'How many event streams one caller, or one address without a token, can have open at once; further ones get 429 `rate-limited`.',
    ),
    CORS_ORIGINS: optionalSetting(
      origins,
      'none',
      'The origins whose scripts in browsers may call the API. Browsers do not send tokens on their own, so `*` is safe.',
    ),
  },
  Webhooks: {
    WEBHOOK_URL: optionalSetting(httpUrl, 'none', 'Where the service posts the events of all auctions.'),
    WEBHOOK_SECRET: optionalSetting(
      webhookSecret,
      'required with `WEBHOOK_URL`',
      'Signs the messages, so that the receiver can verify them.',
    ),
    WEBHOOK_EVENTS: optionalSetting(webhookEvents, 'all', 'The types of messages to post.'),
    WEBHOOKS: optionalSetting(webhookList, 'none', 'Several endpoints, as an alternative to `WEBHOOK_URL`.'),
  },
  Time: {
    CLOCK_SKEW_SECONDS: setting(
      integer(0, 3_600, 'seconds'),
      2,
      'How long after its end an auction is closed: until then, bids that arrived before the end are recorded. It covers stalls of the store and the difference between the clocks of servers. Set the same value on all servers.',
    ),
    REQUEST_DEADLINE_SECONDS: setting(
      integer(1, 600, 'seconds'),
      10,
      'How long a request may wait for its response, whatever the store does.',
    ),
    SHUTDOWN_SECONDS: setting(integer(0, 600, 'seconds'), 10, 'How long the process may take to stop after a signal.'),
  },
  Log: {
    LOG_LEVEL: setting(
      oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
      'info',
      'The lowest level that is logged. Each request is one line at `info`.',
    ),
  },
}

export const settings = v.object({
  ...groups.Address,
  ...groups.Store,
  ...groups.Tokens,
  ...groups.Permissions,
  ...groups.Limits,
  ...groups.Connections,
  ...groups.Webhooks,
  ...groups.Time,
  ...groups.Log,
})
export type Settings = v.InferOutput<typeof settings>
export type SettingName = keyof Settings

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings.entries, name)

/** At most one setting of each list can be set. */
export const alternatives = {
  keys: ['JWT_SECRET', 'JWT_PUBLIC_KEY', 'JWT_JWKS_URL'],
  webhooks: ['WEBHOOK_URL', 'WEBHOOKS'],
  stores: ['MONGODB_URI', 'POSTGRESQL_URI', 'SQLITE_FILE', 'STORE'],
} as const satisfies Record<string, readonly SettingName[]>

/** The settings that messages of the host name. */
export const settingNames = {
  keySetUrl: 'JWT_JWKS_URL',
  redisUrl: 'RATE_LIMIT_REDIS_URL',
  trustedProxies: 'TRUST_PROXY',
  maxConnections: 'MAX_CONNECTIONS',
  maxConnectionsPerAddress: 'MAX_CONNECTIONS_PER_ADDRESS',
  maxRequestsAtOnce: 'MAX_REQUESTS_AT_ONCE',
} as const satisfies Record<string, SettingName>

/** The setting of each permission, which the file may also name in its section `Permissions`. */
export const permissionSettings: ReadonlyMap<string, SettingName> = new Map(
  permissions.map((name) => [name, permissionSetting(name)]),
)

export type SettingDescription = ReturnType<typeof describeSettings>[number]

/** Each setting as the reference and `--help` show it, in Markdown. */
export const describeSettings = () =>
  Object.entries(groups).flatMap(([group, entries]) =>
    Object.entries(entries).map(([name, entry]) => {
      // The cast: `setting` and the value checks write this metadata.
      const { description, values, unit, isSecret = false, unset } = v.getMetadata(entry.wrapped) as Metadata
      // This is what applies without the setting, for example `10` seconds.
      const byDefault = unset ?? [`\`${entry.default}\``, unit].filter(Boolean).join(' ')
      return { name, group, description, values, byDefault, isSecret }
    }),
  )

/** Variables that the file cannot set. */
export const environmentOnly = {
  CONFIG_FILE: 'The path of a JSON file with settings.',
  NODE_ENV: '`production` requires a key for tokens, and `https://` for the key set and webhooks.',
} as const
