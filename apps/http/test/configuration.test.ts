import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { describeSettings } from '../src/configuration/describe-settings.ts'
import { type ConfigurationReading, readConfiguration } from '../src/configuration/read-configuration.ts'
import { secret } from './support/tokens.ts'

const path = 'auction.json'

/** Reads a configuration from an environment and, when there are contents, a file. */
function read(environment: Readonly<Record<string, string>>, contents?: unknown): ConfigurationReading {
  const file = contents === undefined ? {} : { CONFIG_FILE: path }
  const text = typeof contents === 'string' ? contents : JSON.stringify(contents)
  return readConfiguration({ ...file, ...environment }, () => text)
}

const faultsOf = (reading: ConfigurationReading): readonly string[] => (reading.ok ? [] : reading.faults)

function configurationOf(reading: ConfigurationReading) {
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  return reading.configuration
}

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicPem = pem(rsa.publicKey)
const publicJwk = JSON.stringify(rsa.publicKey.export({ format: 'jwk' }))

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  store: { kind: 'sqlite', file: 'data/auctions.sqlite' },
  storeWaitMs: 30_000,
  tokens: { permissionClaims: ['permissions', 'scope'] },
  permissionValues: {
    'Auctions.Create': 'auction-service:Auctions:Create',
    'Bids.Create': 'auction-service:Bids:Create',
    'Auctions.Cancel': 'auction-service:Auctions:Cancel',
    'Auctions.Read': undefined,
    'Bids.Read': undefined,
    'Auctions.Reserve.Read': 'auction-service:Auctions:Reserve:Read',
  },
  rateLimit: { max: 300, anonymousMax: 60, windowSeconds: 60 },
  corsOrigins: [],
  connectionLimits: {
    requestTimeoutSeconds: 30,
    idleTimeoutSeconds: 75,
    maxConnections: 2_000,
    maxConnectionsPerAddress: 250,
    maxUnreadBytesPerCaller: 4_194_304,
    maxUnreadBytes: 67_108_864,
  },
  maxRequestsAtOnce: 512,
  shutdownMs: 10_000,
  limits: { clockSkewMs: 2_000, deadlineMs: 10_000 },
  logLevel: 'info',
}

test('nothing has to be configured', () => {
  expect(configurationOf(read({}))).toEqual(defaults)
})

describe('the description of the settings', () => {
  const described = new Map(describeSettings().map((setting) => [setting.name, setting]))

  test('tells of each what its value must be, and its default as it would be written', () => {
    expect(described.get('REQUEST_DEADLINE_SECONDS')).toEqual({
      name: 'REQUEST_DEADLINE_SECONDS',
      group: 'Time',
      description: expect.stringMatching(/^How long/),
      values: 'an integer from 1 to 600',
      unit: 'seconds',
      isSecret: false,
      default: '10',
    })
    expect(described.get('JWT_PERMISSION_CLAIMS')).toMatchObject({ default: 'permissions,scope' })
  })

  test('tells in words what holds where there is no constant', () => {
    expect(described.get('PERMISSIONS_BIDS_CREATE')).toMatchObject({ unset: '`{SERVICE_NAME}:Bids:Create`' })
  })

  test('tells which values are secret', () => {
    const secrets = [...described.values()].filter(({ isSecret }) => isSecret).map(({ name }) => name)
    expect(secrets).toEqual(expect.arrayContaining(['JWT_SECRET', 'MONGODB_URI', 'POSTGRESQL_URI']))
    expect(secrets).not.toContain('JWT_PUBLIC_KEY')
  })

  test.each([...described.values()].flatMap((setting) => ('default' in setting ? [setting] : [])))(
    'tells a default of $name that may be given, and changes nothing then',
    ({ name, default: value }) => {
      expect(configurationOf(read({ [name]: value }))).toEqual(defaults)
    },
  )
})

test('every setting can stand in the environment', () => {
  const environment = {
    HOST: '::1',
    PORT: '0',
    MONGODB_URI: 'mongodb+srv://db.example/bids',
    STORE_WAIT_SECONDS: '8',
    JWT_SECRET: secret,
    JWT_ISSUER: 'https://issuer.example',
    JWT_AUDIENCE: 'auctions',
    JWT_PERMISSION_CLAIMS: 'roles, groups',
    JWT_SUBJECT_CLAIM: 'uid',
    SERVICE_NAME: 'acme',
    PERMISSIONS_BIDS_CREATE: 'bid',
    PERMISSIONS_AUCTIONS_CANCEL: 'call-off',
    PERMISSIONS_AUCTIONS_READ: 'see-auctions',
    PERMISSIONS_BIDS_READ: 'see-bids',
    RATE_LIMIT_MAX: '5',
    RATE_LIMIT_ANONYMOUS_MAX: '6',
    RATE_LIMIT_WINDOW_SECONDS: '7',
    RATE_LIMIT_REDIS_URL: 'rediss://limits:hunter2@redis.example:6380/1',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    REQUEST_TIMEOUT_SECONDS: '11',
    IDLE_TIMEOUT_SECONDS: '12',
    MAX_CONNECTIONS: '13',
    MAX_CONNECTIONS_PER_ADDRESS: '3',
    MAX_UNREAD_BYTES_PER_CALLER: '14',
    MAX_UNREAD_BYTES: '15',
    CORS_ORIGINS: 'https://shop.example, http://localhost:5173',
    CLOCK_SKEW_SECONDS: '0',
    REQUEST_DEADLINE_SECONDS: '16',
    MAX_REQUESTS_AT_ONCE: '17',
    SHUTDOWN_SECONDS: '18',
    LOG_LEVEL: 'silent',
  }
  expect(configurationOf(read(environment))).toEqual({
    host: '::1',
    port: 0,
    store: { kind: 'mongodb', uri: 'mongodb+srv://db.example/bids' },
    storeWaitMs: 8_000,
    tokenKey: { kind: 'secret', secret },
    tokens: {
      issuer: 'https://issuer.example',
      audience: 'auctions',
      permissionClaims: ['roles', 'groups'],
      subjectClaim: 'uid',
    },
    permissionValues: {
      'Auctions.Create': 'acme:Auctions:Create',
      'Bids.Create': 'bid',
      'Auctions.Cancel': 'call-off',
      'Auctions.Read': 'see-auctions',
      'Bids.Read': 'see-bids',
      'Auctions.Reserve.Read': 'acme:Auctions:Reserve:Read',
    },
    rateLimit: {
      max: 5,
      anonymousMax: 6,
      windowSeconds: 7,
      redisUrl: new URL('rediss://limits:hunter2@redis.example:6380/1'),
    },
    trustedProxies: { kind: 'addresses', ranges: ['10.0.0.0/8', '::1'] },
    connectionLimits: {
      requestTimeoutSeconds: 11,
      idleTimeoutSeconds: 12,
      maxConnections: 13,
      maxConnectionsPerAddress: 3,
      maxUnreadBytesPerCaller: 14,
      maxUnreadBytes: 15,
    },
    corsOrigins: ['https://shop.example', 'http://localhost:5173'],
    maxRequestsAtOnce: 17,
    shutdownMs: 18_000,
    limits: { clockSkewMs: 0, deadlineMs: 16_000 },
    logLevel: 'silent',
  })
})

test('every setting can stand in the file, and those of permissions in its section Permissions', () => {
  const file = {
    PORT: 4000,
    RATE_LIMIT_MAX: '5',
    JWT_JWKS_URL: 'https://issuer.example/jwks',
    JWT_JWKS_MAX_STALE_SECONDS: 90,
    Permissions: {
      'Auctions.Create': 'create',
      'Bids.Create': 'bid',
      'Auctions.Cancel': 'call-off',
      'Auctions.Read': 'see',
      'Auctions.Reserve.Read': 'see-reserves',
    },
    PERMISSIONS_BIDS_READ: 'see-bids',
  }
  expect(configurationOf(read({}, file))).toEqual({
    ...defaults,
    port: 4000,
    tokenKey: { kind: 'key-set', url: new URL('https://issuer.example/jwks'), maxStaleSeconds: 90 },
    permissionValues: {
      'Auctions.Create': 'create',
      'Bids.Create': 'bid',
      'Auctions.Cancel': 'call-off',
      'Auctions.Read': 'see',
      'Bids.Read': 'see-bids',
      'Auctions.Reserve.Read': 'see-reserves',
    },
    rateLimit: { max: 5, anonymousMax: 60, windowSeconds: 60 },
  })
})

test.each<[given: string | number, trusted: object]>([
  ['10.1.2.3', { kind: 'addresses', ranges: ['10.1.2.3'] }],
  ['10.0.0.0/8,192.168.0.1 , fd00::/8', { kind: 'addresses', ranges: ['10.0.0.0/8', '192.168.0.1', 'fd00::/8'] }],
  ['1', { kind: 'hops', hops: 1 }],
  [20, { kind: 'hops', hops: 20 }],
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

const integerFrom = (least: number, most: number) => `must be an integer from ${least} to ${most}`

test.each<[name: string, values: readonly string[], rule: string | RegExp]>([
  ['HOST', [''], /host name/],
  ['PORT', ['', '65536', '-1', '3000.5', '0x10', ' 80', '1e3', '080', 'http'], integerFrom(0, 65_535)],
  ['MONGODB_URI', ['', 'localhost:27017', 'http://localhost', 'mongodb://'], /mongodb:\/\//],
  ['POSTGRESQL_URI', ['', 'localhost:5432', 'http://localhost', 'postgres://'], /postgresql:\/\//],
  ['JWT_SECRET', ['', 'short', 'x'.repeat(31)], /32 bytes/],
  ['JWT_SECRET', [publicPem], /JWT_PUBLIC_KEY/],
  [
    'JWT_SECRET',
    [publicJwk, ` ${publicJwk}`, `{"keys":[${publicJwk}]}`, `[${publicJwk}]`, `{"kty":"oct","k":"${secret}"}`],
    /must not be a key in JSON \(JWK\)/,
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
  ['SQLITE_FILE', ['file:a.db', 'sqlite:///a.db', 'mongodb://db.example'], /the path of a file, and not a URL$/],
  ['SQLITE_FILE', [':memory:'], /STORE=memory/],
  ['STORE', ['', 'Memory', 'mongodb', 'sqlite'], /must be memory; .*SQLITE_FILE/],
  ['JWT_PUBLIC_KEY', ['', 'AAAA', publicPem.slice(0, 100)], /must be a public key/],
  ['JWT_JWKS_URL', ['', 'issuer.example/jwks', 'file:///jwks', 'http://'], /must be a URL/],
  ['JWT_JWKS_URL', ['https://anna:hunter2@issuer.example/jwks'], /user name/],
  ['JWT_JWKS_MAX_STALE_SECONDS', ['', '-1', '86401', '1m'], integerFrom(0, 86_400)],
  ['JWT_ISSUER', [''], /issuer/],
  ['JWT_AUDIENCE', [''], /audience/],
  [
    'JWT_PERMISSION_CLAIMS',
    ['', ',', 'scope,', 'a,,b', ' ', '/a~', 'scope,/a~2'],
    /separated by commas.* JSON Pointer/,
  ],
  ['JWT_SUBJECT_CLAIM', [''], /claim/],
  ['SERVICE_NAME', ['', 'two words', 'a"b', 'a\\b', 'caf\u00e9'], /scope token/],
  ['PERMISSIONS_AUCTIONS_CREATE', ['', 'a b'], /scope token/],
  ['PERMISSIONS_BIDS_READ', ['', 'a b'], /scope token/],
  ['PERMISSIONS_AUCTIONS_CANCEL', ['', 'a b'], /scope token/],
  ['PERMISSIONS_AUCTIONS_RESERVE_READ', ['', 'a b'], /scope token/],
  ['RATE_LIMIT_MAX', ['', '0', '-5', '1.5', 'many'], integerFrom(1, 1_000_000_000)],
  ['RATE_LIMIT_ANONYMOUS_MAX', ['', '0', '-1', 'none'], integerFrom(1, 1_000_000_000)],
  ['RATE_LIMIT_WINDOW_SECONDS', ['', '0', '60s'], integerFrom(1, 1_000_000)],
  ['RATE_LIMIT_REDIS_URL', ['', 'redis.example:6379', 'http://redis.example', 'redis://', 'redis:///1'], /redis:\/\//],
  ['RATE_LIMIT_REDIS_URL', ['redis://redis.example/limits', 'redis://redis.example/1/2'], /database by a number/],
  ['RATE_LIMIT_REDIS_URL', ['redis://redis.example/?family=6'], /must not hold options/],
  ['TRUST_PROXY', ['true', 'TRUE', ' yes', 'on', '*', 'all'], /each client could choose the address/],
  ['TRUST_PROXY', ['0.0.0.0/0', '10.0.0.1,::/0', '10.0.0.0/0'], /must not trust every address/],
  [
    'TRUST_PROXY',
    ['', ',', '10.0.0.1,', '0', '21', '-1', '1.5', 'proxy.example', 'loopback', '10.0.0', '10.0.0.0/33', '::1/129'],
    /addresses or ranges of proxies .* or the number of proxies/,
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
  ['MAX_UNREAD_BYTES_PER_CALLER', ['', '0', '4MiB'], integerFrom(1, 2 ** 40)],
  ['MAX_UNREAD_BYTES', ['', '0', '64MiB'], integerFrom(1, 2 ** 40)],
  ['CORS_ORIGINS', ['', 'shop.example', 'https://shop.example/', 'https://a.example,,*'], /must be origins such as/],
  ['LOG_LEVEL', ['', 'verbose', 'INFO'], /one of trace, debug, info/],
])('a bad value of %s is a fault that names it and does not repeat the value', (name, values, rule) => {
  for (const value of values) {
    const faults = faultsOf(read({ [name]: value }))
    expect(faults, JSON.stringify(value)).toEqual([expect.stringContaining(`${name} (environment): `)])
    expect(faults[0]).toMatch(rule)
    expect(faults[0]?.includes('\n')).toBe(false)
    if (value.length > 3 && name.startsWith('JWT_SECRET')) expect(faults[0]).not.toContain(value)
  }
})

test.each([
  [{ PORT: true }, [`PORT (${path}, line 1, column 2): ${integerFrom(0, 65_535)}`]],
  [{ PORT: 80.5 }, [`PORT (${path}, line 1, column 2): ${integerFrom(0, 65_535)}`]],
  [{ PORT: null }, [`PORT (${path}, line 1, column 2): ${integerFrom(0, 65_535)}`]],
  [{ HOST: 7 }, [`HOST (${path}, line 1, column 2): must be a host name or an IP address`]],
  [{ CONFIG_FILE: 'other.json' }, [`CONFIG_FILE (${path}, line 1, column 2): is not a known setting`]],
  [{ NODE_ENV: 'production' }, [`NODE_ENV (${path}, line 1, column 2): is not a known setting`]],
  [
    { Permissions: { 'Bids.Delete': 'x' } },
    [`Permissions["Bids.Delete"] (${path}, line 1, column 17): is not a known setting`],
  ],
  [{ Permissions: 'all' }, [`Permissions (${path}, line 1, column 2): must be a JSON object`]],
  [
    { Permissions: { 'Bids.Create': '' } },
    [
      expect.stringMatching(
        /^PERMISSIONS_BIDS_CREATE \(Permissions\["Bids.Create"\] in auction.json, line 1, column 17\): must be one word/,
      ),
    ],
  ],
  [
    { PERMISSIONS_BIDS_CREATE: 'a', Permissions: { 'Bids.Create': 'b' } },
    [
      `Permissions["Bids.Create"] (${path}, line 1, column 47): is given twice; it is the same as PERMISSIONS_BIDS_CREATE`,
    ],
  ],
  ['{"PORT": 80,\n "HOST": "a",\n "PORT": 80}', [`PORT (${path}, line 3, column 2): is given twice`]],
  ['{"PORT": 80, "P\\u004fRT": 81}', [`PORT (${path}, line 1, column 14): is given twice`]],
  ['{"Permissions": {},\n"Permissions": {}}', [`Permissions (${path}, line 2, column 1): is given twice`]],
  [
    '{"Permissions": {"Bids.Create": "a", "Bids.Create": "a"}}',
    [`Permissions["Bids.Create"] (${path}, line 1, column 38): is given twice`],
  ],
  [[], [`CONFIG_FILE (environment): the file "${path}" must hold one JSON object`]],
])('the file %j has faults', (contents, faults) => {
  expect(faultsOf(read({}, contents))).toEqual(faults)
})

test.each([
  ['{"PORT": 80', 'is not JSON: it goes wrong at line 1, column 12'],
  ['', 'is not JSON: it goes wrong at line 1, column 1'],
  ['{\n  "PORT": 80,\r\n  "JWT_SECRET": hunter2\n}', 'is not JSON: it goes wrong at line 3, column 17'],
  ['{"JWT_SECRET": "hunter2",}', 'is not JSON: it goes wrong at line 1, column 26'],
  ['{"PORT": 80} hunter2', 'is not JSON: it goes wrong at line 1, column 14'],
  ['{// hunter2\n}', 'is not JSON: it goes wrong at line 1, column 2'],
  ['JWT_SECRET=hunter2', 'is not JSON: it goes wrong at line 1, column 1'],
  ['{"JWT_SECRET": "hunter2\n"}', 'is not JSON: a text in it holds a line break or another control character'],
  ['\uFEFF{}', 'begins with a byte order mark, which JSON does not have; save it as UTF-8 without one'],
  ['{"HOST": "caf\uFFFD"}', 'is not UTF-8'],
  ['\uFFFD\uFFFD{\0}\0', 'is not UTF-8'],
  [`{"a":${'['.repeat(100_000)}`, 'is nested too deeply'],
])('the file %j is not JSON, and is told where, without a word of it', (contents, fault) => {
  expect(faultsOf(read({}, contents))).toEqual([`CONFIG_FILE (environment): the file "${path}" ${fault}`])
})

test.each([
  ['port', 'PORT'],
  ['jwtSecret', 'JWT_SECRET'],
  ['MONGO_URL', 'MONGODB_URI'],
  ['RATE_LIMIT_WINDOW', 'RATE_LIMIT_WINDOW_SECONDS'],
  ['JWT_ISUER', 'JWT_ISSUER'],
])('the unknown key %s of the file is named with the setting that was probably meant', (name, meant) => {
  expect(faultsOf(read({}, { [name]: 'hunter2' }))).toEqual([
    `${name} (${path}, line 1, column 2): is not a known setting; is ${meant} meant?`,
  ])
})

test.each([
  'mongodb://anna:hunter2@db.example/auctions',
  'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4',
  'c0ffee00c0ffee00c0ffee00c0ffee00',
  'aVeryLongWordOfLettersOnlyWithoutAnEnd',
  'correct horse battery staple',
  'x'.repeat(10_000),
  'a\nb',
])('the unknown key %j of the file may be a secret, so only its place is told', (name) => {
  const hidden = 'is not a known setting; it may be a secret, so it is not repeated here'
  expect(faultsOf(read({}, { [name]: 1 }))).toEqual([`a key (${path}, line 1, column 2): ${hidden}`])
  expect(faultsOf(read({}, { Permissions: { [name]: 1 } }))).toEqual([
    `a key of Permissions (${path}, line 1, column 17): ${hidden}`,
  ])
})

test('a file that can’t be read is a fault', () => {
  const reading = readConfiguration({ CONFIG_FILE: '/nowhere/auction.json' }, () => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  })
  expect(faultsOf(reading)).toEqual([
    'CONFIG_FILE (environment): the file "/nowhere/auction.json" can\'t be read (ENOENT)',
  ])
})

test('all faults are told at once', () => {
  const environment = { PORT: 'x', RATE_LIMIT_MAX: '0', JWT_SECRET: 'short', JWT_JWKS_URL: 'https://issuer.example' }
  const faults = faultsOf(read(environment, { nonsense: 1, LOG_LEVEL: 'loud' }))
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
  test.each([
    [{ JWT_SECRET: secret, JWT_PUBLIC_KEY: publicPem }, 'JWT_SECRET (environment) and JWT_PUBLIC_KEY (environment)'],
    [
      { JWT_SECRET: secret, JWT_JWKS_URL: 'https://a.example' },
      'JWT_SECRET (environment) and JWT_JWKS_URL (environment)',
    ],
  ])('is one: %#', (environment, named) => {
    expect(faultsOf(read(environment))).toEqual([`${named}: are several kinds of key; give one`])
  })

  test('is one, in the environment and the file together', () => {
    expect(faultsOf(read({ JWT_SECRET: secret }, { JWT_JWKS_URL: 'https://a.example' }))).toEqual([
      `JWT_SECRET (environment) and JWT_JWKS_URL (${path}, line 1, column 2): are several kinds of key; give one`,
    ])
  })

  test('is required in production', () => {
    const production = { NODE_ENV: 'production', STORE: 'memory' }
    expect(faultsOf(read(production))).toEqual([
      'JWT_SECRET, JWT_PUBLIC_KEY, JWT_JWKS_URL: one of them is required under NODE_ENV=production',
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
    const rule = 'must begin with https:// under NODE_ENV=production, but for a server on this very machine'
    expect(faultsOf(read({ NODE_ENV: 'production', STORE: 'memory', JWT_JWKS_URL }))).toEqual([
      `JWT_JWKS_URL (environment): ${rule}`,
    ])
    expect(faultsOf(read({ NODE_ENV: 'production', STORE: 'memory' }, { JWT_JWKS_URL }))).toEqual([
      `JWT_JWKS_URL (${path}, line 1, column 2): ${rule}`,
    ])
    expect(read({ JWT_JWKS_URL }).ok).toBe(true)
  })

  test.each([
    'https://issuer.example/jwks',
    'http://localhost:8080/jwks',
    'http://127.0.0.1/jwks',
    'http://127.8.9.1/jwks',
    'http://[::1]:8080/jwks',
  ])('set may be fetched in production from %s', (JWT_JWKS_URL) => {
    expect(read({ NODE_ENV: 'production', STORE: 'memory', JWT_JWKS_URL }).ok).toBe(true)
  })

  test('of 32 bytes is long enough, in whatever characters', () => {
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
    ['a private key', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), /private key stays/],
    ['1024 bits', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /2048 bits at least/],
    ['secp256k1', pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey), /P-256, P-384 or P-521/],
    ['Ed448', pem(generateKeyPairSync('ed448').publicKey), /Ed25519/],
    ['X25519', pem(generateKeyPairSync('x25519').publicKey), /Ed25519/],
  ])('may not be %s', (_what, JWT_PUBLIC_KEY, rule) => {
    const faults = faultsOf(read({ JWT_PUBLIC_KEY }))
    expect(faults).toEqual([expect.stringMatching(rule)])
    expect(faults[0]).toMatch(/^JWT_PUBLIC_KEY \(environment\): /)
  })
})

describe('the store', () => {
  const uri = 'mongodb://db.example/auctions'
  const sql = 'postgresql://db.example/auctions'

  const storeOf = (environment: Readonly<Record<string, string>>, contents?: unknown) =>
    configurationOf(read(environment, contents)).store

  test.each([{}, { NODE_ENV: 'production', JWT_SECRET: secret }])(
    'is a file of SQLite if nothing is said, and memory only where that is asked for: %j',
    (environment) => {
      expect(storeOf(environment)).toEqual({ kind: 'sqlite', file: 'data/auctions.sqlite' })
      expect(storeOf({ ...environment, SQLITE_FILE: '/srv/a.db' })).toEqual({ kind: 'sqlite', file: '/srv/a.db' })
      expect(storeOf({ ...environment, MONGODB_URI: uri })).toEqual({ kind: 'mongodb', uri })
      expect(storeOf({ ...environment, POSTGRESQL_URI: sql })).toEqual({ kind: 'postgresql', uri: sql })
      expect(storeOf({ ...environment, STORE: 'memory' })).toEqual({ kind: 'memory' })
      expect(storeOf(environment, { STORE: 'memory' })).toEqual({ kind: 'memory' })
      expect(storeOf(environment, { SQLITE_FILE: 'a.db' })).toEqual({ kind: 'sqlite', file: 'a.db' })
    },
  )

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>> | undefined]>([
    [`MONGODB_URI (${path}, line 1, column 2) and STORE (environment)`, { STORE: 'memory' }, { MONGODB_URI: uri }],
    ['SQLITE_FILE (environment) and STORE (environment)', { STORE: 'memory', SQLITE_FILE: 'a.db' }, undefined],
    [
      `MONGODB_URI (environment) and SQLITE_FILE (${path}, line 1, column 2)`,
      { MONGODB_URI: uri },
      { SQLITE_FILE: 'a' },
    ],
    [
      'MONGODB_URI (environment) and POSTGRESQL_URI (environment)',
      { MONGODB_URI: uri, POSTGRESQL_URI: sql },
      undefined,
    ],
    [
      'MONGODB_URI (environment) and POSTGRESQL_URI (environment) and SQLITE_FILE (environment) and STORE (environment)',
      { MONGODB_URI: uri, POSTGRESQL_URI: sql, SQLITE_FILE: 'a.db', STORE: 'memory' },
      undefined,
    ],
  ])('is one, not %s', (named, environment, contents) => {
    expect(faultsOf(read(environment, contents))).toEqual([`${named}: are several stores; give one`])
  })
})

describe('warnings', () => {
  const warningsOf = (environment: Readonly<Record<string, string>>, contents?: unknown) =>
    read(environment, contents).warnings

  test.each([
    ['MONGO_URI', 'MONGODB_URI'],
    ['MONGO_URL', 'MONGODB_URI'],
    ['MONGODB_URL', 'MONGODB_URI'],
    ['MONGODBURI', 'MONGODB_URI'],
    ['MONGDB_URI', 'MONGODB_URI'],
    ['mongodb_uri', 'MONGODB_URI'],
    ['MONGODB_CONNECTION_STRING', 'MONGODB_URI'],
    ['POSTGRES_URL', 'POSTGRESQL_URI'],
    ['POSTGRESQL_URL', 'POSTGRESQL_URI'],
    ['POSTGRESQLURI', 'POSTGRESQL_URI'],
    ['PG_URL', 'POSTGRESQL_URI'],
    ['SQLITE_PATH', 'SQLITE_FILE'],
    ['SQLITE_DB', 'SQLITE_FILE'],
    ['SQLITE_DATABASE', 'SQLITE_FILE'],
    ['SQLITEFILE', 'SQLITE_FILE'],
    ['SQLLITE_FILE', 'SQLITE_FILE'],
    ['DB_FILE', 'SQLITE_FILE'],
    ['DATABASE_FILE', 'SQLITE_FILE'],
    ['JWT_SECRETT', 'JWT_SECRET'],
    ['JWT_SECRET_KEY', 'JWT_SECRET'],
    ['JWKS_URL', 'JWT_JWKS_URL'],
    ['JWKS_URI', 'JWT_JWKS_URL'],
    ['JWT_JWKS_URI', 'JWT_JWKS_URL'],
    ['JWT_PUBLICKEY', 'JWT_PUBLIC_KEY'],
    ['JWT_ISS', 'JWT_ISSUER'],
    ['JWT_AUD', 'JWT_AUDIENCE'],
    ['PERMISSION_BIDS_CREATE', 'PERMISSIONS_BIDS_CREATE'],
    ['RATE_LIMIT', 'RATE_LIMIT_MAX'],
    ['RATE_LIMIT_MAX_REQUESTS', 'RATE_LIMIT_MAX'],
    ['RATE_LIMIT_WINDOW', 'RATE_LIMIT_WINDOW_SECONDS'],
    ['REDIS_URL', 'RATE_LIMIT_REDIS_URL'],
    ['TRUSTED_PROXIES', 'TRUST_PROXY'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['CONFIGFILE', 'CONFIG_FILE'],
  ])('%s is told to be %s, probably, and stops nothing', (name, meant) => {
    const reading = read({ [name]: 'hunter2' })
    expect(reading.ok).toBe(true)
    expect(reading.warnings).toEqual([
      `the environment has ${name}, which is not a setting of this service; is ${meant} meant?`,
    ])
  })

  test.each([
    ['mongodb+srv', 'MONGODB_URI'],
    ['postgres', 'POSTGRESQL_URI'],
  ])('an address of %s:// under another name is told, whatever the name', (protocol, meant) => {
    expect(warningsOf({ BIDS: `${protocol}://anna:hunter2@db.example` })).toEqual([
      `the environment has BIDS, which is not a setting of this service; is ${meant} meant?`,
    ])
  })

  test.each([
    ['mongodb+srv://anna:hunter2@db.example', 'is MONGODB_URI meant?'],
    ['sqlite:///srv/hunter2.db', 'is SQLITE_FILE meant?'],
    ['file:./hunter2.db', 'is SQLITE_FILE meant?'],
    ['postgres://anna:hunter2@db.example', 'is POSTGRESQL_URI meant?'],
    ['hunter2', 'MONGODB_URI, POSTGRESQL_URI, SQLITE_FILE or STORE=memory choose the store'],
  ])('DATABASE_URL is told of, whatever its value, and which setting there is: %s', (value, hint) => {
    for (const name of ['DATABASE_URL', 'DATABASE_URI', 'DB_URL', 'databaseUrl']) {
      expect(warningsOf({ [name]: value })).toEqual([
        `the environment has ${name}, which is not a setting of this service; ${hint}`,
      ])
      expect(faultsOf(read({}, { [name]: value }))).toEqual([
        `${name} (${path}, line 1, column 2): is not a known setting; ${hint}`,
      ])
    }
  })

  test.each<Readonly<Record<string, string>>>([
    { MONGODB_URI: 'mongodb://db.example' },
    { POSTGRESQL_URI: 'postgres://db.example' },
    { SQLITE_FILE: 'auctions.db' },
    { STORE: 'memory' },
  ])('of stores are not needed where one is chosen: %j', (chosen) => {
    const others = { DATABASE_URL: 'postgres://a', MONGO_URL: 'mongodb://a', SQLITE_PATH: 'a', BIDS: 'mongodb://a' }
    expect(warningsOf({ ...others, ...chosen })).toEqual([])
    expect(warningsOf(others, chosen)).toEqual([])
  })

  test('what begins like a setting and is like none of them is told as well', () => {
    expect(warningsOf({ PERMISSIONS_BIDS: 'x', JWT_LEEWAY: '5', RATE_LIMIT_MAXIMUM: '5' })).toEqual([
      'the environment has PERMISSIONS_BIDS, which is not a setting of this service',
      'the environment has JWT_LEEWAY, which is not a setting of this service',
      'the environment has RATE_LIMIT_MAXIMUM, which is not a setting of this service',
    ])
  })

  test('a variable of other software is none, and none is needed where the setting is given', () => {
    const others = {
      PATH: '/bin',
      PORTS: '1',
      HOSTNAME: 'pod-1',
      HOSTTYPE: 'x86_64',
      LOGNAME: 'anna',
      DEVICE_NAME: 'x',
      SERVICE_NAMESPACE: 'x',
      MONGO_PORT: 'tcp://10.0.0.1:27017',
      MONGODB_SERVICE_HOST: '10.0.0.1',
      POSTGRESQL_SERVICE_HOST: '10.0.0.1',
      PGHOST: 'db.example',
      MONGODB_PORT_27017_TCP: 'tcp://10.0.0.1:27017',
      STORE_SERVICE_PORT: '80',
      npm_config_loglevel: 'warn',
      npm_package_name: 'auction-service',
      XDG_CONFIG_DIRS: '/etc',
      NODE_ENV: 'development',
    }
    expect(warningsOf(others)).toEqual([])
    expect(warningsOf({ JWT_SECRET: secret, JWT_SECRET_KEY: 'x' })).toEqual([
      'the environment has JWT_SECRET_KEY, which is not a setting of this service',
    ])
  })

  test.each(['prod', 'Production', ' production', 'PRODUCTION', 'prod-eu', 'producton', 'prd'])(
    'NODE_ENV=%j looks like production, and is not',
    (NODE_ENV) => {
      expect(warningsOf({ NODE_ENV })).toEqual([
        `NODE_ENV is ${JSON.stringify(NODE_ENV)}, which is not "production": what production demands is not checked`,
      ])
    },
  )

  test.each(['production', 'development', 'test', 'staging', ''])('NODE_ENV=%j does not', (NODE_ENV) => {
    expect(warningsOf({ NODE_ENV })).toEqual([])
  })

  test('come with the faults', () => {
    const reading = read({ NODE_ENV: 'production', MONGO_URI: 'mongodb://db.example' })
    expect(reading).toMatchObject({ ok: false, warnings: [expect.stringContaining('is MONGODB_URI meant?')] })
  })
})
