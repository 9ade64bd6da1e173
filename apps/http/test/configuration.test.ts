import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ConfigurationReading, readConfiguration } from '../src/configuration/read-configuration.ts'
import { describeSettings, settings } from '../src/configuration/settings.ts'
import { secret } from './support/tokens.ts'

const path = 'auction.json'

/** Reads a configuration from an environment and, if `contents` is given, a file. */
function read(environment: Readonly<Record<string, string>>, contents?: unknown): ConfigurationReading {
  const file = contents === undefined ? {} : { CONFIG_FILE: path }
  const text = typeof contents === 'string' ? contents : JSON.stringify(contents)
  return readConfiguration({ ...file, ...environment }, () => text)
}

const errorsOf = (reading: ConfigurationReading): readonly string[] => (reading.ok ? [] : reading.faults)

function configurationOf(reading: ConfigurationReading) {
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  return reading.configuration
}

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pseudonymSecret = 'another secret that only the tests know'
const webhookKey = Buffer.from('a key of thirty-two random bytes')
const webhookSecret = `whsec_${webhookKey.toString('base64')}`
const publicPem = pem(rsa.publicKey)
const publicJwk = JSON.stringify(rsa.publicKey.export({ format: 'jwk' }))

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

test('every setting is optional', () => {
  expect(configurationOf(read({}))).toEqual(defaults)
})

// The reference page, which is made from them, shows the rest of the descriptions.
test('settings that hold a secret are described as such', () => {
  const secrets = describeSettings().filter(({ isSecret }) => isSecret)
  expect(secrets.map(({ name }) => name)).toEqual([
    'MONGODB_URI',
    'POSTGRESQL_URI',
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
    JWT_CLOCK_TOLERANCE_SECONDS: '30',
    SERVICE_NAME: 'acme',
    PERMISSIONS_BIDS_CREATE: 'bid',
    PERMISSIONS_AUCTIONS_CANCEL: 'call-off',
    PERMISSIONS_AUCTIONS_CANCEL_ANY: 'moderate',
    PERMISSIONS_AUCTIONS_UPDATE: 'edit',
    PERMISSIONS_AUCTIONS_UPDATE_ANY: 'edit-any',
    PERMISSIONS_AUCTIONS_MANAGE: 'repair',
    PERMISSIONS_AUCTIONS_READ: 'see-auctions',
    PERMISSIONS_BIDS_READ: 'see-bids',
    PERMISSIONS_BIDDERS_READ: 'see-bidders',
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
      clockToleranceMs: 30_000,
    },
    permissionValues: {
      'Auctions.Create': 'acme:Auctions:Create',
      'Bids.Create': 'bid',
      'Auctions.Cancel': 'call-off',
      'Auctions.Cancel.Any': 'moderate',
      'Auctions.Update': 'edit',
      'Auctions.Update.Any': 'edit-any',
      'Auctions.Manage': 'repair',
      'Auctions.Read': 'see-auctions',
      'Bids.Read': 'see-bids',
      'Auctions.Reserve.Read': 'acme:Auctions:Reserve:Read',
      'Bidders.Read': 'see-bidders',
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

const unknown = 'is not a known setting; --help lists all settings'
const integerFrom = (least: number, most: number) => `must be an integer from ${least} to ${most}`

type Invalid = [name: string, values: readonly string[], rule: string | RegExp]
const permissionSettings = Object.keys(settings.entries).filter((name) => name.startsWith('PERMISSIONS_'))

test.each<Invalid>([
  ['HOST', [''], /host name/],
  ['PORT', ['', '65536', '-1', '3000.5', '0x10', ' 80', '1e3', '080', 'http'], integerFrom(0, 65_535)],
  ['MONGODB_URI', ['', 'localhost:27017', 'http://localhost', 'mongodb://'], /mongodb:\/\//],
  ['POSTGRESQL_URI', ['', 'localhost:5432', 'http://localhost', 'postgres://'], /postgresql:\/\//],
  ['JWT_SECRET', ['', 'short', 'x'.repeat(31)], /32 bytes/],
  ['JWT_SECRET', [publicPem], /JWT_PUBLIC_KEY/],
  [
    'JWT_SECRET',
    [publicJwk, ` ${publicJwk}`, `{"keys":[${publicJwk}]}`, `[${publicJwk}]`, `{"kty":"oct","k":"${secret}"}`],
    /not a JSON Web Key \(JWK\)/,
  ],
  [
    'JWT_SECRET',
    [
      'x'.repeat(32),
      'é'.repeat(16),
      'changeme'.repeat(4),
      '0123456789'.repeat(4).slice(0, 33),
      'secret-of-16-byt'.repeat(2),
      `${'a'.repeat(40)}b`,
      'abababababababababababababababcdcd',
    ],
    /openssl rand/,
  ],
  ['SQLITE_FILE', ['', 'data/', 'a\0b'], /the path of a file$/],
  ['SQLITE_FILE', ['file:a.db', 'sqlite:///a.db', 'mongodb://db.example'], /the path of a file, not a URL$/],
  ['SQLITE_FILE', [':memory:'], /STORE=memory/],
  ['STORE', ['', 'Memory', 'mongodb', 'sqlite'], /must be memory; .*SQLITE_FILE/],
  ['JWT_PUBLIC_KEY', ['', 'AAAA'], /must be a public key .* begins with a line such as/],
  ['JWT_PUBLIC_KEY', [publicPem.slice(0, 100)], /must be a public key .* contents cannot be read as a public key$/],
  ['JWT_JWKS_URL', ['', 'issuer.example/jwks', 'file:///jwks', 'http://'], /must be a URL/],
  ['JWT_JWKS_URL', ['https://anna:hunter2@issuer.example/jwks'], /user name/],
  ['JWT_JWKS_MAX_STALE_SECONDS', ['', '-1', '86401', '1m'], integerFrom(0, 86_400)],
  ['JWT_ISSUER', [''], /issuer/],
  ['JWT_AUDIENCE', [''], /audience/],
  [
    'JWT_PERMISSION_CLAIMS',
    ['', ',', 'scope,', 'a,,b', ' ', '/a~', 'scope,/a~2'],
    /names of claims, or JSON Pointers .*separated by commas/,
  ],
  ['JWT_SUBJECT_CLAIM', ['', '/a~', '/a~2'], /must be the name of a claim, or a JSON Pointer/],
  ['JWT_CLOCK_TOLERANCE_SECONDS', ['', '-1', '301', '5s'], integerFrom(0, 300)],
  ['SERVICE_NAME', ['', 'two words', 'a"b', 'a\\b', 'caf\u00e9'], /scope token/],
  ...permissionSettings.map((name): Invalid => [name, ['', 'a b'], /scope token/]),
  ['PSEUDONYM_SECRET', ['', 'short', 'x'.repeat(31)], /at least 32 bytes/],
  ['PSEUDONYM_SECRET', ['changeme'.repeat(4)], /openssl rand/],
  ['ANONYMOUS_READS', ['', 'true', 'ON', '1'], 'must be one of on, off'],
  ['PAGE', ['', 'true', 'OFF', '0'], 'must be one of on, off'],
  ['RATE_LIMIT_MAX', ['', '0', '-5', '1.5', 'many'], integerFrom(1, 1_000_000_000)],
  ['RATE_LIMIT_ANONYMOUS_MAX', ['', '0', '-1', 'none'], integerFrom(1, 1_000_000_000)],
  ['RATE_LIMIT_WINDOW_SECONDS', ['', '0', '60s'], integerFrom(1, 1_000_000)],
  ['RATE_LIMIT_REDIS_URL', ['', 'redis.example:6379', 'http://redis.example', 'redis://', 'redis:///1'], /redis:\/\//],
  ['RATE_LIMIT_REDIS_URL', ['redis://redis.example/limits', 'redis://redis.example/1/2'], /database by its number/],
  ['RATE_LIMIT_REDIS_URL', ['redis://redis.example/?family=6'], /must not contain a query string/],
  [
    'TRUST_PROXY',
    ['true', 'TRUE', ' yes', 'on', '*', 'all', '0.0.0.0/0', '10.0.0.1,::/0', '10.0.0.0/0'],
    /must not trust every address: .*; set the addresses or ranges of proxies, /,
  ],
  [
    'TRUST_PROXY',
    ['', ',', '10.0.0.1,', '0', '21', '-1', '1.5', 'proxy.example', 'loopback', '10.0.0', '10.0.0.0/33', '::1/129'],
    /addresses or ranges of proxies, .* or the number of proxies/,
  ],
  [
    'TRUST_PROXY',
    ['10.0.0.0/255.0.0.0', '10.0.0.0/8/8', '10.0.0.0/08', 'fe80::1%eth0', '1 2', 'false'],
    /addresses or ranges/,
  ],
  ['REQUEST_TIMEOUT_SECONDS', ['', '0', '30s'], integerFrom(1, 3_600)],
  ['CLOCK_SKEW_SECONDS', ['', '-1', '2.5', '3601'], integerFrom(0, 3_600)],
  ['REQUEST_DEADLINE_SECONDS', ['', '0', '601'], integerFrom(1, 600)],
  ['IDLE_TIMEOUT_SECONDS', ['', '1', 'never'], integerFrom(2, 3_600)],
  ['MAX_CONNECTIONS', ['', '0', '-1'], integerFrom(1, 1_000_000)],
  ['MAX_CONNECTIONS_PER_ADDRESS', ['', '0', '1000001'], integerFrom(1, 1_000_000)],
  [
    'CORS_ORIGINS',
    ['', 'shop.example', 'https://shop.example/', 'https://a.example,,*'],
    /must be origins without a path/,
  ],
  ['LOG_LEVEL', ['', 'verbose', 'INFO'], /one of trace, debug, info/],
])('an invalid value of %s is refused with the name and without the value', (name, values, rule) => {
  for (const value of values) {
    const faults = errorsOf(read({ [name]: value }))
    expect(faults, JSON.stringify(value)).toEqual([expect.stringContaining(`${name} (environment): `)])
    expect(faults[0]).toMatch(rule)
    expect(faults[0]).not.toContain('\n')
    if (value.length > 3 && name.endsWith('_SECRET')) expect(faults[0]).not.toContain(value)
  }
})

test.each([
  [{ PORT: true }, [`PORT (${path}): ${integerFrom(0, 65_535)}`]],
  [{ PORT: 80.5 }, [`PORT (${path}): ${integerFrom(0, 65_535)}`]],
  [{ PORT: null }, [`PORT (${path}): ${integerFrom(0, 65_535)}`]],
  [{ HOST: 7 }, [`HOST (${path}): must be a host name or an IP address`]],
  [{ SQLITE_FILE: 7 }, [`SQLITE_FILE (${path}): must be the path of a file`]],
  [{ port: 80 }, [`port (${path}): ${unknown}`]],
  [{ CONFIG_FILE: 'other.json' }, [`CONFIG_FILE (${path}): ${unknown}`]],
  [{ NODE_ENV: 'production' }, [`NODE_ENV (${path}): ${unknown}`]],
  [{ ['x'.repeat(10_000)]: 1 }, [`${'x'.repeat(60)}… (cut; 10000 characters) (${path}): ${unknown}`]],
  [{ Permissions: { 'Bids.Delete': 'x' } }, [`Permissions["Bids.Delete"] (${path}): ${unknown}`]],
  [{ Permissions: 'all' }, [`Permissions (${path}): must be a JSON object`]],
  [{ Permissions: [] }, [`Permissions (${path}): must be a JSON object`]],
  [
    { Permissions: { 'Bids.Create': '' } },
    [
      expect.stringMatching(
        /^PERMISSIONS_BIDS_CREATE \(Permissions\["Bids.Create"\] in auction.json\): must be one word/,
      ),
    ],
  ],
  [
    { PERMISSIONS_BIDS_CREATE: 'a', Permissions: { 'Bids.Create': 'b' } },
    [
      `Permissions["Bids.Create"] (${path}): is the same setting as PERMISSIONS_BIDS_CREATE (${path}); keep only one of them`,
    ],
  ],
  [
    { Permissions: { 'Bids.Create': 'b' }, PERMISSIONS_BIDS_CREATE: 'a' },
    [
      `PERMISSIONS_BIDS_CREATE (${path}): is the same setting as PERMISSIONS_BIDS_CREATE (Permissions["Bids.Create"] in ${path}); keep only one of them`,
    ],
  ],
])('the file %j is refused', (contents, faults) => {
  expect(errorsOf(read({}, contents))).toEqual(faults)
})

test.each([
  '{"JWT_SECRET": hunter2}',
  '',
  'JWT_SECRET=hunter2',
  '\uFEFF{}',
  '[]',
  'null',
  '"hunter2"',
  '['.repeat(100_000),
])('the file %j is refused without its contents, as it is not a JSON object', (contents) => {
  expect(errorsOf(read({}, contents))).toEqual([
    `CONFIG_FILE (environment): the file "${path}" must contain one JSON object, in UTF-8 without a byte order mark`,
  ])
})

test('an unreadable file is refused', () => {
  const reading = readConfiguration({ CONFIG_FILE: '/nowhere/auction.json' }, () => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  })
  expect(errorsOf(reading)).toEqual([
    'CONFIG_FILE (environment): the file "/nowhere/auction.json" cannot be read (ENOENT)',
  ])
})

test('all errors are reported together', () => {
  const environment = { PORT: 'x', RATE_LIMIT_MAX: '0', JWT_SECRET: 'short', JWT_JWKS_URL: 'https://issuer.example' }
  const faults = errorsOf(read(environment, { nonsense: 1, LOG_LEVEL: 'loud' }))
  expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
    'JWT_SECRET',
    'JWT_SECRET',
    'LOG_LEVEL',
    'PORT',
    'RATE_LIMIT_MAX',
    'nonsense',
  ])
})

describe('the key', () => {
  const production = { NODE_ENV: 'production', STORE: 'memory' }

  test('is required in production', () => {
    expect(errorsOf(read(production))).toEqual([
      'JWT_SECRET, JWT_PUBLIC_KEY, JWT_JWKS_URL: one of these is required under NODE_ENV=production',
    ])
    expect(read(production, { JWT_SECRET: secret }).ok).toBe(true)
  })

  test.each([
    'http://issuer.example/jwks',
    'http://10.0.0.1/jwks',
    'http://localhost.example/jwks',
    'http://127.0.0.1.example/jwks',
    'http://[::2]/jwks',
  ])('set is fetched with TLS in production, not from %s', (JWT_JWKS_URL) => {
    const rule = 'must begin with https:// under NODE_ENV=production, except for a server on this machine'
    expect(errorsOf(read({ ...production, JWT_JWKS_URL }))).toEqual([`JWT_JWKS_URL (environment): ${rule}`])
    expect(errorsOf(read(production, { JWT_JWKS_URL }))).toEqual([`JWT_JWKS_URL (${path}): ${rule}`])
    expect(read({ JWT_JWKS_URL }).ok).toBe(true)
  })

  test.each([
    'https://issuer.example/jwks',
    'http://localhost:8080/jwks',
    'http://127.8.9.1/jwks',
    'http://[::1]:8080/jwks',
  ])('set may be fetched in production from %s', (JWT_JWKS_URL) => {
    expect(read({ ...production, JWT_JWKS_URL }).ok).toBe(true)
  })

  test('with 32 bytes is long enough, in any characters', () => {
    expect(read({ JWT_SECRET: 'äöüßéèêàâçñøåæœ₤' }).ok).toBe(true)
  })

  test.each([
    ['in one line with literal \\n', publicPem.replaceAll('\n', '\\n')],
    ['in PKCS #1', rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['with blank lines around', `\n\n${publicPem}\n\n`],
  ])('may be a public key %s', (_form, JWT_PUBLIC_KEY) => {
    expect(configurationOf(read({ JWT_PUBLIC_KEY })).tokenKey).toEqual({
      kind: 'public-key',
      publicKey: { pem: publicPem, algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] },
    })
  })

  test.each<[what: string, key: string, rule: RegExp]>([
    ['a private key', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), /keep the private key/],
    ['1024 bits', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /at least 2048 bits/],
    ['secp256k1', pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey), /P-256, P-384 or P-521/],
    ['RSA-PSS', pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey), /RSA key/],
    ['Ed448', pem(generateKeyPairSync('ed448').publicKey), /Ed25519/],
    ['X25519', pem(generateKeyPairSync('x25519').publicKey), /Ed25519/],
  ])('must not be %s', (_what, JWT_PUBLIC_KEY, rule) => {
    const faults = errorsOf(read({ JWT_PUBLIC_KEY }))
    expect(faults).toEqual([expect.stringMatching(rule)])
    expect(faults[0]).toMatch(/^JWT_PUBLIC_KEY \(environment\): /)
  })
})

const mongodb = 'mongodb://db.example/auctions'
const postgresql = 'postgresql://db.example/auctions'

test.each<[given: Readonly<Record<string, string>>, store: object]>([
  [{}, { kind: 'sqlite', file: 'data/auctions.sqlite' }],
  [{ SQLITE_FILE: '/srv/a.db' }, { kind: 'sqlite', file: '/srv/a.db' }],
  [{ MONGODB_URI: mongodb }, { kind: 'mongodb', uri: mongodb }],
  [{ POSTGRESQL_URI: postgresql }, { kind: 'postgresql', uri: postgresql }],
  [{ STORE: 'memory' }, { kind: 'memory' }],
])('the store follows from %j, even in production', (given, store) => {
  expect(configurationOf(read(given)).store).toEqual(store)
  expect(configurationOf(read({}, given)).store).toEqual(store)
  expect(configurationOf(read({ NODE_ENV: 'production', JWT_SECRET: secret, ...given })).store).toEqual(store)
})

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>> | undefined]>([
  [
    `MONGODB_URI (${path}) and STORE (environment): cannot be set together`,
    { STORE: 'memory' },
    { MONGODB_URI: mongodb },
  ],
  [
    'MONGODB_URI (environment) and POSTGRESQL_URI (environment) and SQLITE_FILE (environment): cannot be set together',
    { MONGODB_URI: mongodb, POSTGRESQL_URI: postgresql, SQLITE_FILE: 'a.db' },
    undefined,
  ],
  [
    'JWT_SECRET (environment) and JWT_PUBLIC_KEY (environment): cannot be set together',
    { JWT_SECRET: secret, JWT_PUBLIC_KEY: publicPem },
    undefined,
  ],
  [
    `JWT_SECRET (environment) and JWT_JWKS_URL (${path}): cannot be set together`,
    { JWT_SECRET: secret },
    { JWT_JWKS_URL: 'https://a.example' },
  ],
])('%s', (fault, environment, contents) => {
  expect(errorsOf(read(environment, contents))).toEqual([`${fault}; keep only one of them`])
})

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>]>([
  [
    'ANONYMOUS_READS (environment): must be off when PERMISSIONS_AUCTIONS_READ (environment) is set',
    { ANONYMOUS_READS: 'on', PERMISSIONS_AUCTIONS_READ: 'see' },
    {},
  ],
  [
    `ANONYMOUS_READS (${path}): must be off when PERMISSIONS_AUCTIONS_READ (${path}) and PERMISSIONS_BIDS_READ (Permissions["Bids.Read"] in ${path}) are set`,
    {},
    { ANONYMOUS_READS: 'on', PERMISSIONS_AUCTIONS_READ: 'see', Permissions: { 'Bids.Read': 'see' } },
  ],
])('%s', (fault, environment, contents) => {
  expect(errorsOf(read(environment, contents))).toEqual([`${fault}: callers without a token have no permissions`])
})

test('reading without a token can be allowed in the environment and in the file', () => {
  expect(configurationOf(read({ ANONYMOUS_READS: 'on' })).hasAnonymousReads).toBe(true)
  expect(configurationOf(read({}, { ANONYMOUS_READS: 'on' })).hasAnonymousReads).toBe(true)
  const off = read({ ANONYMOUS_READS: 'off', PERMISSIONS_BIDS_READ: 'see' }, { ANONYMOUS_READS: 'on' })
  expect(configurationOf(off).hasAnonymousReads).toBe(false)
})

describe('warnings', () => {
  test.each([
    ...['JWT_AUDIANCE', 'RATE_LIMIT_MAXIMUM', 'PERMISSIONS_BIDS', 'PSEUDONYM_SECRETS', 'ANONYMOUS_READ'],
    ...['SQLITE_FIEL', 'MONGO_URI', 'MONGODB_URL', 'POSTGRES_URI', 'POSTGRESQL_URL', 'WEBHOOKS_URL', 'WEBHOOK_SECRETS'],
  ])('%s is ignored with a warning', (name) => {
    expect(read({ [name]: 'hunter2' }).warnings).toEqual([
      `${name} (environment): is not a known setting and is ignored; --help lists all settings`,
    ])
  })

  test.each([
    { PATH: '/bin', HOSTNAME: 'pod-1', MONGODB_SERVICE_HOST: '10.0.0.1', NODE_ENV: 'test' },
    { POSTGRES_USER: 'auctions', POSTGRES_PASSWORD: 'hunter2', MONGO_INITDB_ROOT_USERNAME: 'root', NODE_ENV: '' },
    { POSTGRESQL_PORT: 'tcp://10.0.0.2:5432', DATABASE_URL: 'postgres://db', NODE_ENV: 'development' },
  ])('%o has no warning', (environment) => {
    expect(read(environment).warnings).toEqual([])
  })

  test.each(['Production', 'prod', 'staging'])('NODE_ENV=%s turns on no checks, with a warning', (name) => {
    expect(read({ NODE_ENV: name })).toMatchObject({
      ok: true,
      warnings: [
        'NODE_ENV (environment): is not production, development or test; the checks for production need NODE_ENV=production',
      ],
    })
  })

  test('are returned with the faults', () => {
    expect(read({ NODE_ENV: 'production', JWT_AUDIANCE: 'auctions' })).toMatchObject({
      ok: false,
      warnings: [expect.stringContaining('JWT_AUDIANCE')],
    })
  })
})
