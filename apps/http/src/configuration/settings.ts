import * as v from 'valibot'
import { setting } from './setting.ts'
import {
  claimNames,
  httpUrl,
  integer,
  memoryStore,
  mongodbUri,
  oneOf,
  origins,
  postgresqlUri,
  publicKey,
  redisUrl,
  scopeToken,
  secret,
  sqliteFile,
  text,
  trustProxy,
} from './value-checks.ts'

/**
 * Every setting, named as its environment variable: what its value must be, its default, and what readers are told of it in
 * docs/reference/configuration.md and by `--help`. None of them has to be given.
 */
export const settings = v.object({
  HOST: setting(text('a host name or an IP address'), {
    group: 'Address',
    description: 'Where the service listens. `0.0.0.0` or `::` is every interface of the machine.',
    default: '127.0.0.1',
  }),
  PORT: setting(integer(0, 65_535), {
    group: 'Address',
    description: 'The port that it listens on; 0 is any that is free.',
    default: 3000,
  }),

  ADMIN_HOST: setting(text('a host name or an IP address'), {
    group: 'Address',
    description:
      'Where metrics can be read, if `ADMIN_PORT` is given. They need no token: let only those in who may see them.',
    default: '127.0.0.1',
  }),
  ADMIN_PORT: setting(integer(0, 65_535), {
    group: 'Address',
    description: 'The port of `GET /metrics`, for Prometheus; 0 is any that is free.',
    unset: 'no metrics',
  }),

  SQLITE_FILE: setting(sqliteFile, {
    group: 'Store',
    description:
      'Keeps everything in this SQLite file. Its folder is made if it is not there. A relative path begins in the current folder.',
    default: 'data/auctions.sqlite',
  }),
  MONGODB_URI: setting(mongodbUri, {
    group: 'Store',
    description: 'Keeps everything in this MongoDB database instead; it is named in the path, else it is `auctions`.',
    unset: 'none',
    isSecret: true,
  }),
  POSTGRESQL_URI: setting(postgresqlUri, {
    group: 'Store',
    description: 'Keeps everything in the schema `auctions` of this PostgreSQL database instead.',
    unset: 'none',
    isSecret: true,
  }),
  STORE: setting(memoryStore, {
    group: 'Store',
    description: 'Keeps everything in the memory of the process instead; it ends with the process.',
    unset: 'none',
  }),
  STORE_WAIT_SECONDS: setting(integer(0, 3_600), {
    group: 'Store',
    description:
      'How long a start waits for a store that does not answer or is locked. Meanwhile `/livez` is 200, and everything else 503.',
    unit: 'seconds',
    default: 30,
  }),

  JWT_SECRET: setting(secret, {
    group: 'Tokens',
    description: 'The secret that tokens are signed with (HS256).',
    unset: 'a random one, with a token to try; under `NODE_ENV=production` one of the three keys must be given',
    isSecret: true,
  }),
  JWT_PUBLIC_KEY: setting(publicKey, {
    group: 'Tokens',
    description:
      'The key that tokens are verified with (RS, PS, ES or EdDSA). Its lines may be joined by a literal `\\n`.',
    unset: 'none',
  }),
  JWT_JWKS_URL: setting(httpUrl, {
    group: 'Tokens',
    description: 'Where the key set of the issuer is fetched; under `NODE_ENV=production`, over `https://`.',
    unset: 'none',
  }),
  JWT_JWKS_MAX_STALE_SECONDS: setting(integer(0, 86_400), {
    group: 'Tokens',
    description: 'How much longer than its minute a key set counts while no newer one can be fetched.',
    unit: 'seconds',
    default: 600,
  }),
  JWT_ISSUER: setting(text('the issuer that tokens name'), {
    group: 'Tokens',
    description: 'What the claim `iss` must be.',
    unset: 'not checked',
  }),
  JWT_AUDIENCE: setting(text('the audience that tokens name'), {
    group: 'Tokens',
    description: 'What the claim `aud` must be, or hold. Set it wherever the issuer serves other services too.',
    unset: 'not checked',
  }),
  JWT_PERMISSION_CLAIMS: setting(claimNames, {
    group: 'Tokens',
    description:
      'The claims that carry permissions: lists of texts, or texts with spaces between the values. A claim within another is named by a JSON Pointer, such as `/realm_access/roles`.',
    default: 'permissions,scope',
  }),
  JWT_SUBJECT_CLAIM: setting(text('the name of a claim'), {
    group: 'Tokens',
    description:
      'The claim that must equal the `ownerId` of an auction, the `bidderId` of a bid or the `buyerId` of a purchase. Only the owner cancels an auction then, and reads its reserve.',
    unset: 'callers may act for anybody',
  }),

  SERVICE_NAME: setting(scopeToken, {
    group: 'Permissions',
    description: 'The prefix that the permissions have unless they are named.',
    default: 'auction-service',
  }),
  PERMISSIONS_AUCTIONS_CREATE: setting(scopeToken, {
    group: 'Permissions',
    description: 'The value in a token that lets its bearer create auctions.',
    unset: '`{SERVICE_NAME}:Auctions:Create`',
  }),
  PERMISSIONS_BIDS_CREATE: setting(scopeToken, {
    group: 'Permissions',
    description: 'The value in a token that lets its bearer place bids, and buy at once.',
    unset: '`{SERVICE_NAME}:Bids:Create`',
  }),
  PERMISSIONS_AUCTIONS_CANCEL: setting(scopeToken, {
    group: 'Permissions',
    description: 'The value in a token that lets its bearer cancel auctions.',
    unset: '`{SERVICE_NAME}:Auctions:Cancel`',
  }),
  PERMISSIONS_AUCTIONS_READ: setting(scopeToken, {
    group: 'Permissions',
    description: 'The value in a token that lets its bearer read auctions.',
    unset: 'any valid token may',
  }),
  PERMISSIONS_BIDS_READ: setting(scopeToken, {
    group: 'Permissions',
    description: 'The value in a token that lets its bearer read bids.',
    unset: 'any valid token may',
  }),
  PERMISSIONS_AUCTIONS_RESERVE_READ: setting(scopeToken, {
    group: 'Permissions',
    description: 'The value in a token that lets its bearer read the reserve of any auction. It is never open to all.',
    unset: '`{SERVICE_NAME}:Auctions:Reserve:Read`',
  }),

  RATE_LIMIT_MAX: setting(integer(1, 1_000_000_000), {
    group: 'Limits',
    description: 'How many requests a caller may make in a window.',
    unit: 'requests',
    default: 300,
  }),
  RATE_LIMIT_ANONYMOUS_MAX: setting(integer(1, 1_000_000_000), {
    group: 'Limits',
    description:
      'Requests without a valid token that one address may make in the same window, and as many of documents (`/docs`).',
    unit: 'requests',
    default: 60,
  }),
  RATE_LIMIT_WINDOW_SECONDS: setting(integer(1, 1_000_000), {
    group: 'Limits',
    description: 'How long a window is.',
    unit: 'seconds',
    default: 60,
  }),

  RATE_LIMIT_REDIS_URL: setting(redisUrl, {
    group: 'Limits',
    description: 'A Redis server in which several servers count together. While it is gone, each counts alone.',
    unset: 'each server counts alone',
    isSecret: true,
  }),
  TRUST_PROXY: setting(trustProxy, {
    group: 'Limits',
    description:
      'The proxies whose `X-Forwarded-For` is believed, so that callers are told apart by their own addresses.',
    unset: 'none is believed',
  }),
  REQUEST_TIMEOUT_SECONDS: setting(integer(1, 3_600), {
    group: 'Connections',
    description: 'How long a request may take to arrive whole.',
    unit: 'seconds',
    default: 30,
  }),
  IDLE_TIMEOUT_SECONDS: setting(integer(2, 3_600), {
    group: 'Connections',
    description: 'How long a connection may bring no new request, or leave an answer unread, before it is closed.',
    unit: 'seconds',
    default: 75,
  }),
  MAX_CONNECTIONS: setting(integer(1, 1_000_000), {
    group: 'Connections',
    description:
      'How many connections there may be at once. At the limit, a new one closes the one that is idle for longest.',
    unit: 'connections',
    default: 2_000,
  }),
  MAX_CONNECTIONS_PER_ADDRESS: setting(integer(1, 1_000_000), {
    group: 'Connections',
    description:
      'The same for the connections of one address (of one /64 of IPv6). A proxy that `TRUST_PROXY` names has no limit but `MAX_CONNECTIONS`.',
    unit: 'connections',
    unset: 'an eighth of `MAX_CONNECTIONS`',
  }),
  MAX_REQUESTS_AT_ONCE: setting(integer(1, 1_000_000), {
    group: 'Connections',
    description:
      'How many requests are taken on at once while more come than can be served; those beyond are refused with 503 `overloaded`.',
    unit: 'requests',
    default: 512,
  }),
  MAX_UNREAD_BYTES_PER_CALLER: setting(integer(1, 2 ** 40), {
    group: 'Connections',
    description: 'How much may be written for one caller that the caller has not read.',
    unit: 'bytes',
    default: 4 * 2 ** 20,
  }),
  MAX_UNREAD_BYTES: setting(integer(1, 2 ** 40), {
    group: 'Connections',
    description: 'The same for all callers together.',
    unit: 'bytes',
    default: 64 * 2 ** 20,
  }),

  CORS_ORIGINS: setting(origins, {
    group: 'Connections',
    description:
      'From where scripts in browsers may call. Requests carry their token themselves, so `*` opens nothing but what a token opens.',
    unset: 'none',
  }),
  CLOCK_SKEW_SECONDS: setting(integer(0, 3_600), {
    group: 'Time',
    description:
      'How far the clocks of servers may differ: so long after its end an auction is closed. The same on all servers.',
    unit: 'seconds',
    default: 2,
  }),
  REQUEST_DEADLINE_SECONDS: setting(integer(1, 600), {
    group: 'Time',
    description: 'How long a request may wait for its answer, whatever the store does.',
    unit: 'seconds',
    default: 10,
  }),
  SHUTDOWN_SECONDS: setting(integer(0, 600), {
    group: 'Time',
    description: 'How long the process may take to end after a signal.',
    unit: 'seconds',
    default: 10,
  }),

  LOG_LEVEL: setting(oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), {
    group: 'Log',
    description: 'The least level that is logged. A request is a line at `info`.',
    default: 'info',
  }),
})
export type Settings = v.InferOutput<typeof settings>
export type SettingName = keyof Settings

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings.entries, name)

/** Of which one at most is given. */
export const storeSettings = [
  'MONGODB_URI',
  'POSTGRESQL_URI',
  'SQLITE_FILE',
  'STORE',
] as const satisfies readonly SettingName[]

/** What the file's section `Permissions` calls its settings. */
export const permissionSettings = new Map<string, SettingName>([
  ['Auctions.Create', 'PERMISSIONS_AUCTIONS_CREATE'],
  ['Bids.Create', 'PERMISSIONS_BIDS_CREATE'],
  ['Auctions.Cancel', 'PERMISSIONS_AUCTIONS_CANCEL'],
  ['Auctions.Read', 'PERMISSIONS_AUCTIONS_READ'],
  ['Bids.Read', 'PERMISSIONS_BIDS_READ'],
  ['Auctions.Reserve.Read', 'PERMISSIONS_AUCTIONS_RESERVE_READ'],
])

/** What is read from the environment only, never from the file. */
export const environmentOnly = {
  CONFIG_FILE: 'A JSON file with settings; what stands in the environment wins.',
  NODE_ENV: '`production` demands a key for tokens, and a key set over `https://`.',
} as const
