import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { secret } from '../support/tokens.ts'
import { configurationOf, errorsOf, path, read } from './reading.ts'

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicPem = pem(rsa.publicKey)

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
