import { expect, test } from 'vitest'
import { describeSettings, settings } from '../../src/configuration/settings.ts'
import { secret } from '../support/tokens.ts'
import { configurationOf, read } from './reading.ts'

const pseudonymSecret = 'another secret that only the tests know'
const webhookKey = Buffer.from('a key of thirty-two random bytes')
const webhookSecret = `whsec_${webhookKey.toString('base64')}`

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  hasPage: true,
  store: { kind: 'sqlite', file: 'data/auctions.sqlite' },
  storeWaitMs: 30_000,
  tokens: { permissionClaims: ['permissions', 'scope'], clockToleranceMs: 5_000 },
  permissionValues: {
    'Auctions.Create': 'auction-service:Auctions:Create',
    'Bids.Create': 'auction-service:Bids:Create',
    'Auctions.Cancel': 'auction-service:Auctions:Cancel',
    'Auctions.Cancel.Any': 'auction-service:Auctions:Cancel:Any',
    'Auctions.Update': 'auction-service:Auctions:Update',
    'Auctions.Update.Any': 'auction-service:Auctions:Update:Any',
    'Auctions.Manage': 'auction-service:Auctions:Manage',
    'Registers.Manage': 'auction-service:Registers:Manage',
    'Registers.Read': 'auction-service:Registers:Read',
    'Sales.Manage': 'auction-service:Sales:Manage',
    'Sales.Read': undefined,
    'Auctions.Read': undefined,
    'Bids.Read': undefined,
    'Auctions.Reserve.Read': 'auction-service:Auctions:Reserve:Read',
    'Bidders.Read': 'auction-service:Bidders:Read',
  },
  hasAnonymousReads: false,
  rateLimit: { max: 300, anonymousMax: 60, windowSeconds: 60 },
  corsOrigins: [],
  webhooks: [],
  connectionLimits: {
    requestTimeoutSeconds: 30,
    idleTimeoutSeconds: 75,
    maxConnections: 2_000,
    maxConnectionsPerAddress: 250,
  },
  streamLimits: { maxStreams: 1_000, maxStreamsPerCaller: 100 },
  maxRequestsAtOnce: 512,
  shutdownMs: 10_000,
  limits: { clockSkewMs: 2_000, deadlineMs: 10_000 },
  logLevel: 'info',
}

const permissionSettings = Object.keys(settings.entries).filter((name) => name.startsWith('PERMISSIONS_'))

test('every setting is optional', () => {
  expect(configurationOf(read({}))).toEqual(defaults)
})

// The reference page, which is made from them, shows the rest of the descriptions.
test('settings that hold a secret are described as such', () => {
  const secrets = describeSettings().filter(({ isSecret }) => isSecret)
  expect(secrets.map(({ name }) => name)).toEqual([
    'MONGODB_URI',
    'POSTGRESQL_URI',
    'SEALED_BIDS_KEY',
    'JWT_SECRET',
    'PSEUDONYM_SECRET',
    'RATE_LIMIT_REDIS_URL',
    'WEBHOOK_SECRET',
    'WEBHOOKS',
  ])
})

test('every default is a valid value', () => {
  const entries = Object.entries(settings.entries).filter(([, { default: value }]) => value !== undefined)
  for (const [name, { default: value }] of entries) {
    expect(configurationOf(read({ [name]: String(value) })), name).toEqual(defaults)
  }
})

test('every setting can be set in the environment', () => {
  const others = permissionSettings.filter((name) => name !== 'PERMISSIONS_AUCTIONS_CREATE')
  const environment = {
    HOST: '::1',
    PORT: '0',
    PAGE: 'off',
    MONGODB_URI: 'mongodb+srv://db.example/bids',
    STORE_WAIT_SECONDS: '8',
    JWT_SECRET: secret,
    JWT_ISSUER: 'https://issuer.example',
    JWT_AUDIENCE: 'auctions',
    JWT_PERMISSION_CLAIMS: 'roles, groups',
    JWT_SUBJECT_CLAIM: 'uid',
    JWT_ADMISSION_CLAIM: '/app/admitted',
    JWT_CLOCK_TOLERANCE_SECONDS: '30',
    SERVICE_NAME: 'acme',
    ...Object.fromEntries(others.map((name) => [name, name.toLowerCase()])),
    PSEUDONYM_SECRET: pseudonymSecret,
    ANONYMOUS_READS: 'off',
    RATE_LIMIT_MAX: '5',
    RATE_LIMIT_ANONYMOUS_MAX: '6',
    RATE_LIMIT_WINDOW_SECONDS: '7',
    RATE_LIMIT_REDIS_URL: 'rediss://limits:hunter2@redis.example:6380/1',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    REQUEST_TIMEOUT_SECONDS: '11',
    IDLE_TIMEOUT_SECONDS: '12',
    MAX_CONNECTIONS: '13',
    MAX_CONNECTIONS_PER_ADDRESS: '3',
    CORS_ORIGINS: 'https://shop.example, http://localhost:5173',
    CLOCK_SKEW_SECONDS: '0',
    REQUEST_DEADLINE_SECONDS: '16',
    MAX_REQUESTS_AT_ONCE: '17',
    MAX_STREAMS: '19',
    MAX_STREAMS_PER_CALLER: '4',
    WEBHOOK_URL: 'https://shop.example/hooks',
    WEBHOOK_SECRET: webhookSecret,
    WEBHOOK_EVENTS: 'auction.bid, auction.ended',
    SHUTDOWN_SECONDS: '18',
    LOG_LEVEL: 'silent',
  }
  expect(configurationOf(read(environment))).toEqual({
    host: '::1',
    port: 0,
    hasPage: false,
    store: { kind: 'mongodb', uri: 'mongodb+srv://db.example/bids' },
    storeWaitMs: 8_000,
    tokenKey: { kind: 'secret', secret },
    tokens: {
      issuer: 'https://issuer.example',
      audience: 'auctions',
      permissionClaims: ['roles', 'groups'],
      subjectClaim: 'uid',
      admissionClaim: '/app/admitted',
      clockToleranceMs: 30_000,
    },
    permissionValues: {
      ...Object.fromEntries(
        Object.keys(defaults.permissionValues).map((name) => [
          name,
          `permissions_${name.replaceAll('.', '_').toLowerCase()}`,
        ]),
      ),
      'Auctions.Create': 'acme:Auctions:Create',
    },
    pseudonymSecret,
    hasAnonymousReads: false,
    rateLimit: {
      max: 5,
      anonymousMax: 6,
      windowSeconds: 7,
      redisUrl: new URL('rediss://limits:hunter2@redis.example:6380/1'),
    },
    trustedProxies: ['10.0.0.0/8', '::1'],
    connectionLimits: {
      requestTimeoutSeconds: 11,
      idleTimeoutSeconds: 12,
      maxConnections: 13,
      maxConnectionsPerAddress: 3,
    },
    corsOrigins: ['https://shop.example', 'http://localhost:5173'],
    webhooks: [
      {
        name: 'default',
        url: new URL('https://shop.example/hooks'),
        secrets: [webhookKey],
        types: ['auction.bid', 'auction.ended'],
        hasPseudonyms: false,
      },
    ],
    streamLimits: { maxStreams: 19, maxStreamsPerCaller: 4 },
    maxRequestsAtOnce: 17,
    shutdownMs: 18_000,
    limits: { clockSkewMs: 0, deadlineMs: 16_000 },
    logLevel: 'silent',
  })
})

test('settings can be set in the file, permissions in its section Permissions', () => {
  const file = {
    PORT: 4000,
    PAGE: 'off',
    RATE_LIMIT_MAX: '5',
    JWT_JWKS_URL: 'https://issuer.example/jwks',
    JWT_JWKS_MAX_STALE_SECONDS: 90,
    Permissions: {
      'Auctions.Create': 'create',
      'Bids.Create': 'bid',
      'Auctions.Cancel': 'cancel',
      'Auctions.Cancel.Any': 'moderate',
      'Auctions.Update': 'edit',
      'Auctions.Update.Any': 'edit-any',
      'Auctions.Manage': 'repair',
      'Registers.Manage': 'admit',
      'Registers.Read': 'see-registers',
      'Sales.Manage': 'manage-sales',
      'Sales.Read': 'see-sales',
      'Auctions.Read': 'see',
      'Auctions.Reserve.Read': 'see-reserves',
      'Bidders.Read': 'see-bidders',
    },
    PERMISSIONS_BIDS_READ: 'see-bids',
    PSEUDONYM_SECRET: pseudonymSecret,
    WEBHOOKS: [{ name: 'shop', url: 'https://shop.example/hooks', secret: webhookSecret, events: ['auction.ended'] }],
  }
  expect(configurationOf(read({}, file))).toEqual({
    ...defaults,
    port: 4000,
    hasPage: false,
    tokenKey: { kind: 'key-set', url: new URL('https://issuer.example/jwks'), maxStaleSeconds: 90 },
    permissionValues: { ...file.Permissions, 'Bids.Read': 'see-bids' },
    pseudonymSecret,
    webhooks: [
      {
        name: 'shop',
        url: new URL('https://shop.example/hooks'),
        secrets: [webhookKey],
        types: ['auction.ended'],
        hasPseudonyms: false,
      },
    ],
    rateLimit: { ...defaults.rateLimit, max: 5 },
  })
})

test.each<[given: string | number, trusted: unknown]>([
  ['10.1.2.3', ['10.1.2.3']],
  ['10.0.0.0/8,192.168.0.1 , fd00::/8', ['10.0.0.0/8', '192.168.0.1', 'fd00::/8']],
  ['1', 1],
  [20, 20],
])('TRUST_PROXY can be %j', (given, trusted) => {
  expect(configurationOf(read({}, { TRUST_PROXY: given })).trustedProxies).toEqual(trusted)
})

test('the environment wins over the file', () => {
  const file = {
    PORT: 4000,
    HOST: 'localhost',
    Permissions: { 'Bids.Create': 'from-file', 'Auctions.Create': 'from-file' },
  }
  const configuration = configurationOf(read({ PORT: '5000', PERMISSIONS_BIDS_CREATE: 'from-environment' }, file))
  expect(configuration).toMatchObject({ port: 5000, host: 'localhost' })
  expect(configuration.permissionValues).toMatchObject({
    'Bids.Create': 'from-environment',
    'Auctions.Create': 'from-file',
  })
})
