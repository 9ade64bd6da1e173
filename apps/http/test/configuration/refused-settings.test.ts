import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfiguration } from '../../src/configuration/read-configuration.ts'
import { settings } from '../../src/configuration/settings.ts'
import { secret } from '../support/tokens.ts'
import { errorsOf, path, read } from './reading.ts'

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicPem = pem(rsa.publicKey)
const publicJwk = JSON.stringify(rsa.publicKey.export({ format: 'jwk' }))

const permissionSettings = Object.keys(settings.entries).filter((name) => name.startsWith('PERMISSIONS_'))
const unknown = 'is not a known setting; --help lists all settings'
const integerFrom = (least: number, most: number) => `must be an integer from ${least} to ${most}`

type Invalid = [name: string, values: readonly string[], rule: string | RegExp]

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
