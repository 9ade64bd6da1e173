import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
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

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  tokens: { permissionClaims: ['permissions', 'scope'] },
  permissionValues: {
    'Auctions.Create': 'auction-service:Auctions:Create',
    'Bids.Create': 'auction-service:Bids:Create',
    'Auctions.Read': undefined,
    'Bids.Read': undefined,
  },
  rateLimit: { max: 300, windowSeconds: 60 },
  logLevel: 'info',
}

test('nothing has to be configured', () => {
  expect(configurationOf(read({}))).toEqual(defaults)
})

test('every setting can stand in the environment', () => {
  const environment = {
    HOST: '::1',
    PORT: '0',
    MONGODB_URI: 'mongodb+srv://db.example/bids',
    JWT_SECRET: secret,
    JWT_ISSUER: 'https://issuer.example',
    JWT_AUDIENCE: 'auctions',
    JWT_PERMISSION_CLAIMS: 'roles, groups',
    JWT_SUBJECT_CLAIM: 'uid',
    SERVICE_NAME: 'acme',
    PERMISSIONS_BIDS_CREATE: 'bid',
    PERMISSIONS_AUCTIONS_READ: 'see-auctions',
    PERMISSIONS_BIDS_READ: 'see-bids',
    RATE_LIMIT_MAX: '5',
    RATE_LIMIT_WINDOW_SECONDS: '7',
    LOG_LEVEL: 'silent',
  }
  expect(configurationOf(read(environment))).toEqual({
    host: '::1',
    port: 0,
    mongodbUri: 'mongodb+srv://db.example/bids',
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
      'Auctions.Read': 'see-auctions',
      'Bids.Read': 'see-bids',
    },
    rateLimit: { max: 5, windowSeconds: 7 },
    logLevel: 'silent',
  })
})

test('every setting can stand in the file, and those of permissions in its section Permissions', () => {
  const file = {
    PORT: 4000,
    RATE_LIMIT_MAX: '5',
    JWT_JWKS_URL: 'https://issuer.example/jwks',
    JWT_JWKS_MAX_STALE_SECONDS: 90,
    Permissions: { 'Auctions.Create': 'create', 'Bids.Create': 'bid', 'Auctions.Read': 'see' },
    PERMISSIONS_BIDS_READ: 'see-bids',
  }
  expect(configurationOf(read({}, file))).toEqual({
    ...defaults,
    port: 4000,
    tokenKey: { kind: 'key-set', url: new URL('https://issuer.example/jwks'), maxStaleSeconds: 90 },
    permissionValues: {
      'Auctions.Create': 'create',
      'Bids.Create': 'bid',
      'Auctions.Read': 'see',
      'Bids.Read': 'see-bids',
    },
    rateLimit: { max: 5, windowSeconds: 60 },
  })
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
  ['JWT_SECRET', ['', 'short', 'x'.repeat(31)], /32 bytes/],
  ['JWT_SECRET', [publicPem], /JWT_PUBLIC_KEY/],
  ['JWT_PUBLIC_KEY', ['', 'AAAA', publicPem.slice(0, 100)], /must be a public key/],
  ['JWT_JWKS_URL', ['', 'issuer.example/jwks', 'file:///jwks', 'http://'], /must be a URL/],
  ['JWT_JWKS_URL', ['https://anna:hunter2@issuer.example/jwks'], /user name/],
  ['JWT_JWKS_MAX_STALE_SECONDS', ['', '-1', '86401', '1m'], integerFrom(0, 86_400)],
  ['JWT_ISSUER', [''], /issuer/],
  ['JWT_AUDIENCE', [''], /audience/],
  ['JWT_PERMISSION_CLAIMS', ['', ',', 'scope,', 'a,,b', ' '], /separated by commas/],
  ['JWT_SUBJECT_CLAIM', [''], /claim/],
  ['SERVICE_NAME', ['', 'two words', 'a"b', 'a\\b', 'caf\u00e9'], /scope token/],
  ['PERMISSIONS_AUCTIONS_CREATE', ['', 'a b'], /scope token/],
  ['PERMISSIONS_BIDS_READ', ['', 'a b'], /scope token/],
  ['RATE_LIMIT_MAX', ['', '0', '-5', '1.5', 'many'], integerFrom(1, 1_000_000_000)],
  ['RATE_LIMIT_WINDOW_SECONDS', ['', '0', '60s'], integerFrom(1, 1_000_000)],
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
  [{ PORT: true }, [`PORT (${path}): ${integerFrom(0, 65_535)}`]],
  [{ PORT: 80.5 }, [`PORT (${path}): ${integerFrom(0, 65_535)}`]],
  [{ PORT: null }, [`PORT (${path}): ${integerFrom(0, 65_535)}`]],
  [{ HOST: 7 }, [`HOST (${path}): must be a host name or an IP address`]],
  [{ port: 80 }, [`port (${path}): is not a known setting`]],
  [{ CONFIG_FILE: 'other.json' }, [`CONFIG_FILE (${path}): is not a known setting`]],
  [{ Permissions: { 'Bids.Delete': 'x' } }, [`Permissions["Bids.Delete"] (${path}): is not a known setting`]],
  [{ Permissions: 'all' }, [`Permissions (${path}): must be a JSON object`]],
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
    [`Permissions["Bids.Create"] (${path}): is given twice; it is the same as PERMISSIONS_BIDS_CREATE`],
  ],
  [[], [`CONFIG_FILE (environment): the file "${path}" must hold one JSON object`]],
  ['{"PORT": 80', [`CONFIG_FILE (environment): the file "${path}" must hold one JSON object`]],
  ['', [`CONFIG_FILE (environment): the file "${path}" must hold one JSON object`]],
])('the file %j has faults', (contents, faults) => {
  expect(faultsOf(read({}, contents))).toEqual(faults)
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
      `JWT_SECRET (environment) and JWT_JWKS_URL (${path}): are several kinds of key; give one`,
    ])
  })

  test('is required in production', () => {
    expect(faultsOf(read({ NODE_ENV: 'production' }))).toEqual([
      'JWT_SECRET, JWT_PUBLIC_KEY, JWT_JWKS_URL: one of them is required under NODE_ENV=production',
    ])
    expect(read({ NODE_ENV: 'production' }, { JWT_SECRET: secret }).ok).toBe(true)
  })

  test.each([
    'http://issuer.example/jwks',
    'http://10.0.0.1/jwks',
    'http://localhost.example/jwks',
    'http://127.0.0.1.example/jwks',
    'http://[::2]/jwks',
  ])('set is fetched with TLS in production, not from %s', (JWT_JWKS_URL) => {
    const rule = 'must begin with https:// under NODE_ENV=production, but for a server on this very machine'
    expect(faultsOf(read({ NODE_ENV: 'production', JWT_JWKS_URL }))).toEqual([`JWT_JWKS_URL (environment): ${rule}`])
    expect(faultsOf(read({ NODE_ENV: 'production' }, { JWT_JWKS_URL }))).toEqual([`JWT_JWKS_URL (${path}): ${rule}`])
    expect(read({ JWT_JWKS_URL }).ok).toBe(true)
  })

  test.each([
    'https://issuer.example/jwks',
    'http://localhost:8080/jwks',
    'http://127.0.0.1/jwks',
    'http://127.8.9.1/jwks',
    'http://[::1]:8080/jwks',
  ])('set may be fetched in production from %s', (JWT_JWKS_URL) => {
    expect(read({ NODE_ENV: 'production', JWT_JWKS_URL }).ok).toBe(true)
  })

  test('of 32 bytes is long enough, in whatever characters', () => {
    expect(read({ JWT_SECRET: 'é'.repeat(16) }).ok).toBe(true)
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

test('variables that look like settings, and are none, are told and stop nothing', () => {
  const reading = read({ JWT_SECRETT: 'x', RATE_LIMIT_MAXIMUM: '1', PERMISSIONS_BIDS: 'x', PATH: '/bin', PORTS: '1' })
  expect(reading).toMatchObject({
    ok: true,
    strayVariables: ['JWT_SECRETT', 'RATE_LIMIT_MAXIMUM', 'PERMISSIONS_BIDS'],
  })
})
